// How cases are called in messages.
#pragma once

#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs {

/// "case `small` (smaller than a block)"; a hidden case keeps its title, which tells its shape, to itself.
std::string describe(const datasets::CaseSpec& spec);

/// "`small`, `wide` and 3 more"; empty for no names.
std::string list_names(const std::vector<std::string>& names, std::size_t shown = 4);

}  // namespace cudalabs
