// Where two submissions have the same rare features: the lines to look at.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "course/similar/feature.h"
#include "course/similar/rarity.h"

namespace cudalabs::similar {

/// Of one submission's lines, each that has its like in the other one, and the line there that fits best.
using LineMatches = std::map<std::uint32_t, std::uint32_t>;

struct Matches {
  LineMatches one, other;
  /// Half of what both have is in at most so many submissions; 0 when they share nothing.
  std::size_t typical_holders = 0;
};

/// `rarity` has weighed both. Only features of weight count.
Matches matches(const Rarity& rarity, const Features& one, const Features& other);

}  // namespace cudalabs::similar
