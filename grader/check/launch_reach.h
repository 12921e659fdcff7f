// Whether a launch had a thread for every element of an output that was not written everywhere.
#pragma once

#include "check/comparison.h"
#include "check/mismatch.h"
#include "run/run.h"

namespace cudalabs {

/// Adds to `mismatch`, of elements that nobody wrote, how many threads there were, and what follows from that: too few
/// of them, two axes that are exchanged, an index or a guard that is wrong, or elements that no thread of those which
/// do several has taken. Of too few, the launch is to blame, and the line that stores is the other place. Looks at the
/// launch of the kernel that wrote the others; of an output on the host, at the launch. Where there were several of
/// them, nothing follows.
void name_threads(Mismatch& mismatch, const Comparison& comparison, const Observation& observed);

}  // namespace cudalabs
