// Calls that are refused because the event that they are given was destroyed before.
#pragma once

#include <vector>

#include "run/run.h"

namespace cudalabs {

/// Of a call that was refused for its handle: shows where the event was destroyed. Of `cudaEventDestroy`, which may be
/// given anything, also where another event was, if its own is not known.
void name_destroyed_event(Finding& finding, const WatchedCall& refused, const std::vector<WatchedCall>& watched);

}  // namespace cudalabs
