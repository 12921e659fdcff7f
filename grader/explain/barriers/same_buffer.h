// Two buffers by turns whose index stays the same.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a race between two rounds of a loop in which a barrier stands, both accesses to one part of an array, by the same
/// variable: that variable does not change from round to round. Shows where it is set, and says so. `source` is the
/// text of the finding's file.
void show_same_buffer(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
