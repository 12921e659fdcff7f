// A column that is held against another size than the length of a row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of a subscript "[k * p + col]": `col`, and `p`.
struct FlatSubscript {
  std::string row_length, column;

  bool operator==(const FlatSubscript&) const = default;
};

/// Those of the line, where nothing but names stand for the three.
std::vector<FlatSubscript> flat_subscripts(std::string_view line);

/// "n" of "col < n" and "col >= n"; empty: the line compares the name with nothing, or several times.
std::string compared_with(std::string_view line, std::string_view name);

/// Of an access past the end of an array whose column is held against a larger number than the length of a row in its
/// subscript: says so. `source` is the text of `file`.
void show_guard_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
