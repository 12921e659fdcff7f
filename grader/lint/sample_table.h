// The table of solutions/README.md: what the sample submissions of each lab show.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lint/samples.h"

namespace cudalabs::lint {

/// A line for each lab: which findings its `wrong/` must get, and which checks fail there without one.
std::string table_of_samples(const std::vector<std::pair<Lab, std::vector<Sample>>>& labs);

}  // namespace cudalabs::lint
