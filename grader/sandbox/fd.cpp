// Making, reading and writing descriptors, with errors as exceptions.
#include "sandbox/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace cudalabs::sandbox {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

void Fd::reset() {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  return {Fd(ends[0]), Fd(ends[1])};
}

std::pair<Fd, Fd> make_socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("cannot make a socket pair");
  return {Fd(ends[0]), Fd(ends[1])};
}

Fd make_memory_file(std::string_view name, std::span<const std::byte> bytes, unsigned seals) {
  Fd memory(memfd_create(std::string(name).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory) fail("cannot make a memory file");
  write_all(memory.get(), bytes);
  if (lseek(memory.get(), 0, SEEK_SET) != 0) fail("cannot rewind a memory file");
  if (seals != 0 && fcntl(memory.get(), F_ADD_SEALS, seals) != 0) fail("cannot seal a memory file");
  return memory;
}

Fd open_file(const std::filesystem::path& path) {
  Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) fail("cannot open " + path.string());
  struct stat status {};
  if (fstat(file.get(), &status) != 0) fail("cannot look at " + path.string());
  if (!S_ISREG(status.st_mode)) {
    throw std::system_error(EINVAL, std::generic_category(), path.string() + " is not a regular file");
  }
  return file;
}

std::string read_all(int descriptor, std::size_t limit) {
  std::string bytes;
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t count = pread(descriptor, chunk.data(), chunk.size(), static_cast<off_t>(bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot read");
    if (count == 0) return bytes;
    if (bytes.size() + static_cast<std::size_t>(count) > limit) throw std::length_error("more bytes than allowed");
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

void write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace cudalabs::sandbox
