// Stores of whole vectors and of single elements to one array.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of blocks that store to the same memory: where one of the two lines stores vectors, such as `float4`, and the other
/// one elements, says so, for their indices count in different units. `source` is the text of `file`.
void show_mixed_units(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
