// From what was observed of the cases to what is wrong with the submission.
#pragma once

#include "check/evidence.h"

namespace cudalabs {

/// Fills the judgements of all trials of a submission: compares outputs, explains early ends, and tells causes from
/// what follows from them, for which it takes all trials together.
void judge(std::vector<Trial>& trials);

/// True when the run finished and every output of it is right.
bool gives_right_outputs(const Observation& observed, const datasets::Case& test);

}  // namespace cudalabs
