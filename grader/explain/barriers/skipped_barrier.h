// Races in spite of a barrier between the two lines, which a condition lets threads skip.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a race for shared memory that a new barrier was to end: where the text has one in the only place in which threads
/// can come from one access to the other, and a condition around it, names that barrier in place of a new one, its
/// condition, and the loop that comes back, where that is known. `source` is the text of the finding's file.
void show_skipped_barrier(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
