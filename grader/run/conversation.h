// The grader's side of the control socket: what the runner may say, and when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/harness/runner_protocol.h"
#include "sandbox/fd.h"

namespace cudalabs::runner {

/// Hands the case over: GO, with both memory files attached. False when the runner has closed its end.
bool send_go(const sandbox::Fd& control, harness::Go go, const sandbox::Fd& inputs, const sandbox::Fd& outputs);

/// What was received: a well-formed message, nothing because the runner has closed its end, or something else.
struct Received {
  enum class Kind { message, closed, nonsense } kind = Kind::closed;
  harness::MessageType type = harness::MessageType::ready;
  std::string text;  // any bytes, at most as many as a message holds
  std::uint64_t instruction = 0, address = 0, elements = 0;
  std::vector<std::uint64_t> callers;        // from inside out
  harness::Hit hit = harness::Hit::nothing;  // any value
};
/// Takes one message without waiting; call it when the socket is readable.
Received receive(const sandbox::Fd& control);

/// The order in which a runner speaks: ready, then for each call one of done and the failures, and after a failure or
/// the last call nothing; a fault once, at any time. Pure.
class RunnerProtocol {
 public:
  explicit RunnerProtocol(int calls = 1) : calls_(calls) {}

  /// `go`: for the first call; `next_go`: one is done, and another one follows.
  enum class Step { go, next_go, finished, failed, faulted, broken };
  /// What a message means here; `broken` when it comes out of turn, and from then on.
  Step next(harness::MessageType type);

 private:
  enum class State { starting, working, over } state_ = State::starting;
  bool faulted_ = false;
  int calls_;  // that are not done yet
};

}  // namespace cudalabs::runner
