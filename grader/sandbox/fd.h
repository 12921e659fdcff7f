// An owned file descriptor, and the few ways this room makes one. Every descriptor is close-on-exec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cudalabs::sandbox {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int descriptor) : descriptor_(descriptor) {}
  Fd(Fd&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  void reset();

 private:
  int descriptor_ = -1;
};

struct Pipe {
  Fd read, write;
};

// All of these throw std::system_error.
Pipe make_pipe();
/// A connected pair of unix seqpacket sockets: messages keep their boundaries.
std::pair<Fd, Fd> make_socket_pair();
/// Anonymous memory with `bytes` in it, positioned at the start. `seals`: F_SEAL_… to add afterwards.
Fd make_memory_file(std::string_view name, std::span<const std::byte> bytes, unsigned seals = 0);
/// Opens an existing regular file for reading; throws std::system_error, also when it is not a regular file.
Fd open_file(const std::filesystem::path& path);

/// Bytes of a seekable descriptor from its start, at most `limit` of them; throws std::system_error, or
/// std::length_error when there are more.
std::string read_all(int descriptor, std::size_t limit);
/// Writes all of `bytes` to a pipe or file; throws std::system_error.
void write_all(int descriptor, std::span<const std::byte> bytes);

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace cudalabs::sandbox
