// Where a missing barrier goes: what is known of two accesses are their lines, and these may be within statements.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Advice to put a barrier after a line, or between two lines: where the line is in an `if` or in a loop that the other
/// access is not in, says behind, or before, which statement the barrier goes, so that all threads reach it. Behind a
/// `return` that has a value nothing can stand: says what to do there. `code` has no comments. The finding has another
/// place.
void name_missing_barrier(MergedFinding& finding, std::string_view code);

}  // namespace cudalabs
