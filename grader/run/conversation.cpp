// Messages in and out, each checked for its size and its mark.
#include "run/conversation.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace cudalabs::runner {

using harness::MessageType;

bool send_go(const sandbox::Fd& control, harness::Go go, const sandbox::Fd& inputs, const sandbox::Fd& outputs) {
  iovec data{&go, sizeof go};
  const std::array<int, 2> descriptors = {inputs.get(), outputs.get()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptors)> ancillary{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.data();
  message.msg_controllen = ancillary.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof descriptors);
  if (sendmsg(control.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(sizeof go)) return true;
  if (errno == EPIPE || errno == ECONNRESET || errno == EAGAIN) return false;
  throw std::system_error(errno, std::generic_category(), "cannot talk to the runner");
}

Received receive(const sandbox::Fd& control) {
  // One byte more than a message, so that a longer one is seen to be longer. Descriptors that come along are dropped:
  // there is no room for them, and the kernel closes what does not fit.
  std::array<char, sizeof(harness::Message) + 1> bytes{};
  iovec data{bytes.data(), bytes.size()};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  const ssize_t count = recvmsg(control.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count == 0 || (count < 0 && errno == ECONNRESET)) return {};
  if (count < 0) throw std::system_error(errno, std::generic_category(), "cannot listen to the runner");
  Received received;
  received.kind = Received::Kind::nonsense;
  harness::Message message;
  if (static_cast<std::size_t>(count) != sizeof message) return received;
  std::memcpy(&message, bytes.data(), sizeof message);
  if (message.magic != harness::kMagic || message.type > harness::kLastMessageType) return received;
  received.kind = Received::Kind::message;
  received.type = message.type;
  received.text.assign(message.text, strnlen(message.text, sizeof message.text));
  received.instruction = message.instruction;
  for (const std::uint64_t caller : message.callers)
    if (caller != 0) received.callers.push_back(caller);
  received.address = message.address;
  received.elements = message.elements;
  received.hit = message.hit;
  return received;
}

RunnerProtocol::Step RunnerProtocol::next(MessageType type) {
  if (type == MessageType::fault) return std::exchange(faulted_, true) ? Step::broken : Step::faulted;
  const State before = state_;
  state_ = State::over;
  if (type == MessageType::ready && before == State::starting) {
    state_ = State::working;
    return Step::go;
  }
  if (before == State::over || type == MessageType::ready) return Step::broken;
  if (type == MessageType::done && before == State::working) {
    if (--calls_ == 0) return Step::finished;
    state_ = State::working;
    return Step::next_go;
  }
  if (type == MessageType::done) return Step::broken;
  return Step::failed;
}

}  // namespace cudalabs::runner
