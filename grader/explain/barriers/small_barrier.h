// A barrier of one warp that stands in a loop where one of the whole block has to stand.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a race in a loop, where a barrier of the block is advised: whether the only barrier of the loop is one of a warp,
/// or of a part of a warp; then it is named, and what has to stand in its place. `code` has no comments. The finding
/// has another place.
bool name_small_barrier(MergedFinding& finding, std::string_view code);

}  // namespace cudalabs
