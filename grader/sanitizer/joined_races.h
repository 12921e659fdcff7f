// Races that one statement causes, told once.
#pragma once

#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::sanitizer {

/// Races of one kind between the same two lines of a kernel on the same array, such as all those that `bins[i]++`
/// causes, as one: the first speaks for the others, counts add up, and its note says how many there were. Everything
/// else, and every finding without a line, is left as it is.
std::vector<Finding> join_races(std::vector<Finding> findings);

}  // namespace cudalabs::sanitizer
