// The numbers of a source at which it may do something else: the size of a block, of a block's share, of a grid.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs {

/// Both in ascending order, each once, from 2 on.
struct SizeLimits {
  std::vector<std::int64_t> numbers;   // whole numbers that it writes, and what its constants are worth
  std::vector<std::int64_t> products;  // of two of its constants, that are no number of it; of two numbers where it
                                       // has fewer than two constants
};

/// At most 64 of each, those of constants first. `code` has no comments. Takes time in proportion to its length.
SizeLimits size_limits_of(std::string_view code);

}  // namespace cudalabs
