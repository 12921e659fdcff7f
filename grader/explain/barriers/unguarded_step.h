// Steps of a reduction that too many threads do: what one of them reads another one stores to in the same step.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a race within a statement `s[i] += s[i + d]` in a loop that changes `d`, has a barrier, and asks nothing of the
/// thread: says that only the threads below the distance may add. No barrier is between the two accesses of a statement
/// that all of these threads execute together. True where it did. `source` is the text of the finding's file.
bool show_unguarded_step(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
