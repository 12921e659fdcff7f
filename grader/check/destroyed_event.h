// Calls that are refused because the event that they are given was destroyed before.
#pragma once

#include <vector>

#include "run/run.h"

namespace cudalabs {

/// Of a call that was refused for its handle: shows where its event was destroyed. Of `cudaEventDestroy` itself, which
/// mostly has another one's place: how many events there are, and where the last one was destroyed.
void name_destroyed_event(Finding& finding, const WatchedCall& refused, const std::vector<WatchedCall>& watched);

}  // namespace cudalabs
