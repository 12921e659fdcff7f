// A number of blocks that is meant to be rounded up, and whose division has rounded it down before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "size / SIDE", where nothing but names, numbers and members stand on both sides, and in brackets of their own;
/// empty: there is none.
std::string_view plain_division(std::string_view text);

/// "ceil(p / SIDE)" of whole numbers, and "div_up(p / ROWS, SIDE)".
struct GridDivision {
  std::string text;             // "p / SIDE"
  Setting where;                // the name that gets the number of blocks, or the launch's first words
  std::string by = "ceil";      // what is to round up: a function; empty: a division does
  std::string replaced, after;  // "div_up(p / ROWS, SIDE)", "div_up(p, ROWS * SIDE)"

  bool operator==(const GridDivision&) const = default;
};

/// "n / 2", a division of whole numbers, and nothing else, with or without brackets around; each side is a name or a
/// number.
struct WholeDivision {
  std::string_view text, dividend, divisor;
};
std::optional<WholeDivision> whole_division(std::string_view code, std::string_view text);

/// Of an expression that rounds up what a division of whole numbers has rounded down: "div_up(p / ROWS, SIDE)" where
/// the function returns "(size + part - 1) / part", and "(p / ROWS + SIDE - 1) / SIDE". `extent` is a part of `code`,
/// which has no comments.
std::optional<GridDivision> division_rounded_twice(std::string_view code, std::string_view extent);

/// Of the launch in that line, and that dimension of its grid: the division that the number of blocks is computed by,
/// through the variables that hold it. Nothing where it is another one. `code` has no comments.
std::optional<GridDivision> rounded_down_grid(std::string_view code, std::uint32_t launch, std::size_t axis);

/// Of grids without blocks, and with too few: shows that division. `source` is the text of `file`.
void show_grid_divisions(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
