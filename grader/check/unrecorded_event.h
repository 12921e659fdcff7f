// A time that is asked for between two events of which one was never recorded.
#pragma once

#include <vector>

#include "run/run.h"

namespace cudalabs {

/// Of `cudaEventElapsedTime` that was refused: says which of its events no call has recorded, and shows where another
/// one was recorded a second time in its place. Does nothing where that is not known: of an event that was created
/// before the calls that were watched.
void name_unrecorded_event(Finding& finding, const WatchedCall& refused, const std::vector<WatchedCall>& watched);

}  // namespace cudalabs
