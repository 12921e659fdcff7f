// Conditions that differ from thread to thread, and what they decide: whether a thread comes to an access, or to where
// threads wait for each other. Seen in the program's text, not in a run.
#pragma once

#include <map>
#include <vector>

#include "vgpu/analysis/loop_ends.h"
#include "vgpu/analysis/value_flow.h"

namespace cudalabs::vgpu {

/// A branch that asks for the number of the thread, or for what was loaded from a place that it says.
struct ThreadGuard {
  CodePlace branch;
  bool ends_loop = false;  // it decides whether a thread leaves a loop that the access is in
  bool in_loop = false;    // some loop has both in it
};

/// By access to memory that several threads share, by call, by barrier and by instruction that lanes of a warp execute
/// together: the guards around it, the outermost first; of all but calls with those around the only call of their
/// function. What has none is left out, and functions that are very large.
std::map<CodePlace, std::vector<ThreadGuard>> thread_guards(const ValueFlow& flow,
                                                            const std::vector<FunctionLoops>& loops);

}  // namespace cudalabs::vgpu
