// Wrong values in all rows but the first: the pointer to a row that they are read through.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "const T* line = rgb + row * width;", where `line` has "line[3 * col]": that pointer, set before in the same
/// function from a product.
std::optional<Setting> row_pointer_of(std::string_view source, std::uint32_t line);

/// Shows it, where the finding's line or the one beside it reads through it.
void show_row_pointer(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
