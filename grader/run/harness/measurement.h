// Calls that the grader times: they follow a plan that nobody knows before the clock runs.
#pragma once

#include "run/harness/channel.h"

namespace cudalabs::harness {

/// Maps pools of inputs, of which the calls get windows, makes room for the outputs, and says done.
void keep_pools(const Received& received);

/// Makes a plan's calls one after another, waits for the device, hands the samples over, and says done. What is not
/// the submission's own work takes as long for any number of calls, but for a copy of a few hundred bytes for each
/// patch and each sample.
void measure(const Received& received);

/// How often each launch is made: more than once where a call does other work that is
/// not to be measured, copies between host and device, say.
extern unsigned g_launch_repeats;

}  // namespace cudalabs::harness
