// The ladders of labs 1, 2 and 5, whose limit is memory bandwidth, held against a device-to-device copy.
#pragma once

#include <cstddef>
#include <vector>

#include "results.h"
#include "steps.h"

namespace cudalabs::ladder {

/// Each checks every step at the edge sizes of at most `largest` values and returns how many they are. Each throws
/// std::runtime_error naming step and size if an output is wrong.
int check_vector_add_edges(const std::vector<Step>& steps, std::size_t largest);
int check_picture_edges(const std::vector<Step>& steps, std::size_t largest);
int check_reduction_edges(const std::vector<Step>& steps, std::size_t largest);

/// Each times every step and a copy of as many values. `any_order`: the sum may be added up in any.
std::vector<SizeResult> time_vector_add(const std::vector<Step>& steps);
std::vector<SizeResult> time_picture(const std::vector<Step>& steps);
std::vector<SizeResult> time_reduction(const std::vector<Step>& steps, bool any_order);

}  // namespace cudalabs::ladder
