// Random programs about what lanes and threads do together where control flow has taken them apart.
#pragma once

#include <cstdint>

#include "generator.h"

namespace cudalabs::conformance {

enum class LaneFamily : std::uint8_t {
  together,  // shuffles whose value is used only where the lane that it comes from takes part
  leaving,   // the same, and threads that end early
  inactive   // shuffles whose value is used wherever it comes from
};

/// Nested branches and loops whose trips depend on data; in them shuffles, votes, matches, reductions, atomic
/// operations whose order does not matter, local memory and calls; between them barriers. Every warp operation names
/// the lanes that come to it.
reference::Program lane_program(std::uint64_t seed, LaneFamily family);

}  // namespace cudalabs::conformance
