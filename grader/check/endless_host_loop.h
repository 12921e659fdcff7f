// The loop of the host that a program did not get out of before its time was up, as far as its runtime calls tell.
#pragma once

#include "run/run.h"

namespace cudalabs {

/// Adds to the finding of a run that ran out of time: the line of the host that it came to again and again, what that
/// asks for, and why the answer that the loop waits for does not come. Does nothing where that is not known.
void name_endless_host_loop(Finding& finding, const Observation& observed);

/// Of the finding that a question was refused, in a run that ran out of time with asking it: the same.
void name_repeated_question(Finding& finding, const Observation& observed);

}  // namespace cudalabs
