// The server's end of a socket.
#include "vgpu/cudart/server/client_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>

namespace cudalabs::vgpu {

bool SocketChannel::receive(std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t count = ::recv(descriptor_, to.data(), to.size(), MSG_WAITALL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool SocketChannel::send(std::span<const std::byte> first, std::span<const std::byte> second) {
  while (!first.empty() || !second.empty()) {
    iovec parts[2] = {{const_cast<std::byte*>(first.data()), first.size()},
                      {const_cast<std::byte*>(second.data()), second.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    const ssize_t sent = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    const std::size_t of_first = std::min(static_cast<std::size_t>(sent), first.size());
    first = first.subspan(of_first);
    second = second.subspan(static_cast<std::size_t>(sent) - of_first);
  }
  return true;
}

bool SocketChannel::hung_up() const {
  pollfd state{descriptor_, POLLRDHUP, 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

}  // namespace cudalabs::vgpu
