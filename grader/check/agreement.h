// What a lab says of one wrong output, held against all others.
#pragma once

#include <span>
#include <vector>

#include "check/submission_run.h"
#include "lab/lab.h"

namespace cudalabs {

/// Of the explanations those that may be given for these cases, which are judged: what is said of one wrong output is
/// contradicted by no other wrong one, and by no right one that the same kernels have computed.
std::vector<Explanation> without_contradicted(std::span<const Explanation> explanations,
                                              const std::vector<CaseRun>& case_runs);

}  // namespace cudalabs
