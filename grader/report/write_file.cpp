// Writes a report so that nobody ever sees half of it.
#include "report/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

namespace cudalabs {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
}

/// False with errno set when that fails.
bool put(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The file that `path` means once links are followed; a link's missing target counts too.
std::filesystem::path target_of(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) return path;
    path = path.parent_path() / next;
  }
  errno = ELOOP;
  fail(path);
}

/// A device, a pipe or a socket is written to, never replaced.
void write_through(const std::filesystem::path& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) fail(path);
  const bool written = put(file, text);
  const int error = errno;
  const bool closed = close(file) == 0;
  if (!written) errno = error;
  if (!written || !closed) fail(path);
}

void replace(const std::filesystem::path& path, std::string_view text) {
  // mkostemp makes files for the owner only; a report is readable like any other file.
  const mode_t mask = umask(0);
  umask(mask);
  std::string temporary = path.string() + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) fail(path);
  const bool written = put(file, text) && fsync(file) == 0 && fchmod(file, 0666 & ~mask) == 0;
  const int error = errno;
  close(file);
  errno = error;
  if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const int cause = errno;
  unlink(temporary.c_str());
  errno = cause;
  fail(path);
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path target = target_of(path);
  struct stat status {};
  if (stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    write_through(target, text);
  } else {
    replace(target, text);
  }
}

}  // namespace cudalabs
