// Whole messages over the connection's socket: gathered sends, exact receives, rows of host memory as they lie.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu::client {

/// Rows of host memory; a linear block is one row.
struct HostRows {
  std::byte* data = nullptr;
  std::uint64_t pitch = 0, width = 0, height = 1;

  std::uint64_t bytes() const { return width * height; }
};

/// A number that differs, but for a chance of one in 2^64, when the rows' bytes do.
std::uint64_t digest(const HostRows& rows);

enum class Direction : std::uint8_t { send, receive };

/// Touches `rows` all over, writing what is read where data is to come: memory the program may not touch raises SIGSEGV
/// here, inside the runtime call, as the driver's own copy would.
void touch(const HostRows& rows, Direction direction);

class Socket {
 public:
  constexpr Socket() = default;
  explicit constexpr Socket(int descriptor) : descriptor_(descriptor) {}

  /// All of these return false once the other end is gone. Memory the program may not touch raises SIGSEGV.
  bool send(const void* header, std::size_t header_bytes, const void* payload, std::size_t payload_bytes);
  bool send(const HostRows& rows);
  bool receive(void* to, std::size_t bytes);
  bool receive(const HostRows& rows);
  bool discard(std::uint64_t bytes);
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace cudalabs::vgpu::client
