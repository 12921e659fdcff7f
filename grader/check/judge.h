// From what was observed of the cases to what is wrong with the submission.
#pragma once

#include <span>

#include "check/submission_run.h"

namespace cudalabs {

/// Fills the judgements of all case runs of a submission: compares outputs, explains early ends, and tells causes from
/// what follows from them, for which it takes all case runs together. `explanations`: what the lab knows of wrong
/// results.
void judge(std::vector<CaseRun>& case_runs, std::span<const Explanation> explanations = {});

/// True when the run finished and every output of it is right.
bool gives_right_outputs(const Observation& observed, const datasets::Case& test);

}  // namespace cudalabs
