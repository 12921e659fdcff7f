// From what was observed of the cases to what is wrong with the submission.
#pragma once

#include "check/evidence.h"

namespace cudalabs {

/// Fills the judgement of a trial: compares its outputs and explains an early end.
void judge(Trial& trial);

/// True when the run finished and every output of it is right.
bool gives_right_outputs(const Observation& observed, const datasets::Case& test);

}  // namespace cudalabs
