// Two kernels, one after the other: which array the second one has read.
#pragma once

#include <optional>

#include "check/comparison.h"
#include "check/explanations.h"
#include "datasets/dataset.h"

namespace cudalabs {

/// Every wrong element i of `out` is in[i] + in[n - 1 - i], where it should be of what the first kernel makes of `in`:
/// `second_stage_reads_input`.
std::optional<Detected> second_stage_reads_input(const Comparison& comparison, const datasets::Case& test,
                                                 std::optional<BlockShape> block);

}  // namespace cudalabs
