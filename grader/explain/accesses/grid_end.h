// An index that is counted from the end of the grid, and not from that of the array.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "gridDim.x * blockDim.x" of "gridDim.x * blockDim.x - 1 - i", or the name of what is set to it.
struct GridEnd {
  std::uint32_t line = 0, column = 0;
  std::string text;
  std::string function;  // that returns the index; empty: it is computed where it is used

  bool operator==(const GridEnd&) const = default;
};

/// By which the subscript of the element at that place is computed: in it, in the variable that it consists of, or in
/// the function that it calls. `code` has no comments.
std::optional<GridEnd> grid_end(std::string_view code, const SourcePlace& where);

/// Of an access past the end of an array: shows the line that counts from the end of the grid, which may have more
/// threads than the array has elements. `source` is the text of `file`.
void show_grid_ends(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
