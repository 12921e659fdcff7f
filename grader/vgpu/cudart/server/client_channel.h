// The server's end of a connection: bytes in, bytes out. A socket in earnest, memory under the fuzzer.
#pragma once

#include <cstddef>
#include <span>

namespace cudalabs::vgpu {

class Channel {
 public:
  virtual ~Channel() = default;
  /// Fills `to` exactly; false when the peer is gone before that.
  virtual bool receive(std::span<std::byte> to) = 0;
  /// Sends both parts, in order; false when the peer is gone.
  virtual bool send(std::span<const std::byte> first, std::span<const std::byte> second) = 0;
  /// The peer has hung up; true at once, even while unread bytes are left. May be called from any thread.
  virtual bool hung_up() const = 0;
};

/// Does not own the descriptor.
class SocketChannel final : public Channel {
 public:
  explicit SocketChannel(int descriptor) : descriptor_(descriptor) {}
  bool receive(std::span<std::byte> to) override;
  bool send(std::span<const std::byte> first, std::span<const std::byte> second) override;
  bool hung_up() const override;

 private:
  int descriptor_;
};

}  // namespace cudalabs::vgpu
