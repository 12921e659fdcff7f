// The ladders of labs 3 and 4, held against cuBLAS in plain FP32.
#pragma once

#include <vector>

#include "results.h"
#include "steps.h"

namespace cudalabs::ladder {

/// Checks every step at the edge sizes; throws std::runtime_error naming step and size if an output is wrong.
int check_matmul_edges(const std::vector<Step>& steps);

/// Times every step and cuBLAS at square sizes. A step that would take over half a second a run, by its time at the
/// size before, is left out.
std::vector<SizeResult> time_matmul(const std::vector<Step>& steps, const std::vector<int>& sides);

}  // namespace cudalabs::ladder
