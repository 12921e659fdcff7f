// Messages on the control socket: the order they may come in, and bytes that are no messages.
#include "run/conversation.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "catch.h"

namespace cudalabs::runner {
namespace {

using harness::Message;
using harness::MessageType;
using Step = RunnerProtocol::Step;

std::vector<Step> steps(const std::vector<MessageType>& all, int calls = 1) {
  RunnerProtocol protocol(calls);
  std::vector<Step> taken;
  for (const MessageType type : all) taken.push_back(protocol.next(type));
  return taken;
}

TEST_CASE("a runner gets ready, then says done or why not, then nothing", "[run]") {
  CHECK(steps({MessageType::ready, MessageType::done}) == std::vector{Step::go, Step::finished});
  CHECK(steps({MessageType::ready, MessageType::cuda_error}) == std::vector{Step::go, Step::failed});
  CHECK(steps({MessageType::out_of_memory}) == std::vector{Step::failed});
  CHECK(steps({MessageType::done}) == std::vector{Step::broken});
  CHECK(steps({MessageType::ready, MessageType::ready}) == std::vector{Step::go, Step::broken});
  CHECK(steps({MessageType::ready, MessageType::done, MessageType::done}) ==
        std::vector{Step::go, Step::finished, Step::broken});
  CHECK(steps({MessageType::ready, MessageType::cuda_error, MessageType::done}) ==
        std::vector{Step::go, Step::failed, Step::broken});
  CHECK(steps({MessageType::ready, MessageType::done, MessageType::ready}) ==
        std::vector{Step::go, Step::finished, Step::broken});
  CHECK(steps({MessageType::done, MessageType::ready, MessageType::done}) ==
        std::vector{Step::broken, Step::broken, Step::broken});
}

TEST_CASE("of two calls each is done, or the last that is said says why not", "[run]") {
  constexpr MessageType kDone = MessageType::done;
  CHECK(steps({MessageType::ready, kDone, kDone}, 2) == std::vector{Step::go, Step::next_go, Step::finished});
  CHECK(steps({MessageType::ready, kDone, kDone, kDone}, 2) ==
        std::vector{Step::go, Step::next_go, Step::finished, Step::broken});
  CHECK(steps({MessageType::ready, MessageType::cuda_error, kDone}, 2) ==
        std::vector{Step::go, Step::failed, Step::broken});
  CHECK(steps({MessageType::ready, kDone, MessageType::cuda_error}, 2) ==
        std::vector{Step::go, Step::next_go, Step::failed});
}

TEST_CASE("a fault may come once at any time", "[run]") {
  CHECK(steps({MessageType::fault}) == std::vector{Step::faulted});
  CHECK(steps({MessageType::ready, MessageType::fault, MessageType::fault}) ==
        std::vector{Step::go, Step::faulted, Step::broken});
  CHECK(steps({MessageType::ready, MessageType::done, MessageType::fault}) ==
        std::vector{Step::go, Step::finished, Step::faulted});
}

TEST_CASE("a message is received as it was said", "[run]") {
  const auto [here, there] = sandbox::make_socket_pair();
  Message message;
  message.type = MessageType::fault;
  message.instruction = 7;
  message.address = 8;
  message.elements = 9;
  message.hit = harness::Hit::past_end;
  std::memset(message.text, 'x', sizeof message.text);  // not terminated
  REQUIRE(send(there.get(), &message, sizeof message, 0) == sizeof message);
  const Received received = receive(here);
  CHECK(received.kind == Received::Kind::message);
  CHECK(received.type == MessageType::fault);
  CHECK(received.instruction == 7);
  CHECK(received.address == 8);
  CHECK(received.elements == 9);
  CHECK(received.hit == harness::Hit::past_end);
  CHECK(received.text == std::string(sizeof message.text, 'x'));
}

TEST_CASE("what is no message is nonsense", "[run]") {
  const auto [here, there] = sandbox::make_socket_pair();
  Message message;
  const auto send_bytes = [&](const void* bytes, std::size_t count) {
    REQUIRE(send(there.get(), bytes, count, 0) == static_cast<ssize_t>(count));
    return receive(here).kind;
  };
  CHECK(send_bytes(&message, sizeof message) == Received::Kind::message);
  CHECK(send_bytes(&message, sizeof message - 1) == Received::Kind::nonsense);
  const std::vector<char> longer(sizeof message + 100, 'x');
  CHECK(send_bytes(longer.data(), longer.size()) == Received::Kind::nonsense);
  message.magic = 1;
  CHECK(send_bytes(&message, sizeof message) == Received::Kind::nonsense);
  message = {};
  message.type = static_cast<MessageType>(99);
  CHECK(send_bytes(&message, sizeof message) == Received::Kind::nonsense);
}

TEST_CASE("a closed socket is told apart from an empty message", "[run]") {
  auto [here, there] = sandbox::make_socket_pair();
  there.reset();
  CHECK(receive(here).kind == Received::Kind::closed);
  CHECK_FALSE(send_go(here, harness::Go{}, here, here));
}

TEST_CASE("descriptors that come with a message are not kept", "[run]") {
  const auto [here, there] = sandbox::make_socket_pair();
  const sandbox::Fd file = sandbox::make_memory_file("gift", {});
  REQUIRE(send_go(there, harness::Go{}, file, file));  // two descriptors, and too short for a message
  const int next_free = dup(0);
  close(next_free);
  CHECK(receive(here).kind == Received::Kind::nonsense);
  const int still_free = dup(0);
  close(still_free);
  CHECK(still_free == next_free);
}

TEST_CASE("a runner that does not read cannot make the grader wait", "[run]") {
  const auto [here, there] = sandbox::make_socket_pair();
  const sandbox::Fd file = sandbox::make_memory_file("file", {});
  int sent = 0;
  while (sent < 100000 && send_go(here, harness::Go{}, file, file)) ++sent;
  CHECK(sent < 100000);
}

}  // namespace
}  // namespace cudalabs::runner
