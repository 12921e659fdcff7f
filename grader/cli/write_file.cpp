// Writes a report so that nobody ever sees half of it.
#include "cli/write_file.h"

#include <unistd.h>

#include <sys/stat.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace cudalabs {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
}

/// Writes and syncs; false with errno set when that fails.
bool fill(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return fsync(file) == 0;
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view text) {
  // mkostemp makes files for the owner only; a report is readable like any other file.
  const mode_t mask = umask(0);
  umask(mask);
  std::string temporary = path.string() + ".XXXXXX";
  const int file = mkostemp(temporary.data(), 0);
  if (file < 0) fail(path);
  const bool written = fill(file, text) && fchmod(file, 0666 & ~mask) == 0;
  const int error = errno;
  close(file);
  errno = error;
  if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const int cause = errno;
  unlink(temporary.c_str());
  errno = cause;
  fail(path);
}

}  // namespace cudalabs
