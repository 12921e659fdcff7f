// Waits for a file to be saved, however its editor does that.
#include "cli/file_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace cudalabs {

// The folder is watched, not the file: editors write a new file and move it onto the old one's name.
FileWatch::FileWatch(const std::filesystem::path& file)
    : name_(file.filename()), notifications_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!notifications_ || inotify_add_watch(notifications_.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot watch " + folder.string());
  }
}

bool FileWatch::saved() {
  bool saved = false;
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  for (;;) {
    const ssize_t count = read(notifications_.get(), buffer.data(), buffer.size());
    if (count <= 0) return saved;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = buffer.data() + at + sizeof event;
      if (event.len > 0 && std::string_view(name) == name_) saved = true;
      at += sizeof event + event.len;
    }
  }
}

}  // namespace cudalabs
