// The ladders of labs 3 and 4, held against cuBLAS in plain FP32.
#pragma once

#include <cstddef>
#include <vector>

#include "results.h"
#include "steps.h"

namespace cudalabs::ladder {

/// Checks every step at the edge sizes whose matrices have at most `largest` elements; returns how many. Throws
/// std::runtime_error naming step and size if an output is wrong.
int check_matmul_edges(const std::vector<Step>& steps, std::size_t largest);

/// Times every step and cuBLAS at square sizes. A step that would take over half a second a run, by its time at the
/// sizes before, is left out.
std::vector<SizeResult> time_matmul(const std::vector<Step>& steps, const std::vector<int>& sides);

}  // namespace cudalabs::ladder
