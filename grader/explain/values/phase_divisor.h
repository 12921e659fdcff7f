// Sums that stop early as the number of phases is divided by another number than a phase has products.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of wrong values of a matrix product, from a kernel with a loop over phases whose number is the inner dimension `n`
/// divided by one number, while the loop multiplies its counter by a smaller one: where every wrong case has the sums
/// of exactly as many products as these phases take, and no case is right in which that are too few, shows both lines
/// with both numbers. `source` is the text of `file`.
void show_phase_divisors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
