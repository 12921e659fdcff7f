// The harness's end of the control socket.
#pragma once

#include "run/harness/runner_protocol.h"

namespace cudalabs::harness {

/// Says something to the grader; ends the program when nobody listens.
void say(MessageType type, const char* text = "");

/// Says what went wrong and ends the program. `parts` are put after one another.
[[noreturn]] void give_up(MessageType type, const char* first, const char* second = "", const char* third = "",
                          const char* fourth = "");

struct Received {
  Go go;
  int inputs = -1, outputs = -1;
};
/// Waits for GO. False when the grader has closed its end.
bool receive_go(Received& received);

}  // namespace cudalabs::harness
