// The end of a loop that adds up a tile, where a variable says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// Where a loop within another one ends that adds up.
struct SumBound {
  Setting bound;           // where the variable is set, within the outer loop
  std::uint32_t loop = 0;  // the line of the inner one

  bool operator==(const SumBound&) const = default;
};

/// The only such loop in the function of `line`, whose end is set anew in each round of the outer one.
std::optional<SumBound> bound_of_tile_sum(std::string_view source, std::uint32_t line);

/// Of sums that go on past the part of a tile that was filled anew: shows what ends the loop, where a variable does.
/// Returns whether it is so.
bool show_sum_bound(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
