// How a run ended, from what the sandbox saw, what the runner said, and what the virtual GPU saw. Pure.
#pragma once

#include <optional>
#include <string>

#include "run/conversation.h"
#include "run/run.h"
#include "sandbox/sandbox.h"

namespace cudalabs::runner {

struct Spoken {
  bool done = false;                            // said DONE, in its turn
  bool idle = false;                            // did nothing for so long that it was ended
  bool over_budget = false;                     // was ended because the grading had used up all that it may
  bool broken = false;                          // said something the protocol does not have, or out of turn
  std::optional<harness::MessageType> failure;  // what the harness gave up for
  std::string text;                             // its words
  std::optional<Received> fault;                // where it was when a signal came
};

struct Ending {
  RunEnd end = RunEnd::protocol_error;
  std::string detail;  // one line, printable
};

/// A limit explains more than what the runner said, and what it said more than its exit status; an ordinary end without
/// DONE is never a success.
Ending ending_of(const sandbox::Outcome& outcome, const Limits& limits, const Spoken& spoken);

/// The "runner-crashed" finding of a run that ended with `signal` after it had reported `fault`; without a place.
Finding explain_fault(int signal, const Received& fault);

/// "killed by SIGSEGV (invalid memory reference)"
std::string describe_signal(int signal);

}  // namespace cudalabs::runner
