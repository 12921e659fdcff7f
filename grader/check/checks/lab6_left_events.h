// Which of the events that a function creates it never destroys, and what became of it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run/run.h"

namespace cudalabs::lab6 {

/// Of calls that create more events than they destroy: where the first one that is left was created, and what line gave
/// its variable another value. Empty where the calls do not tell. `code` has no comments. On a device that is `lost`
/// every call returns an error.
std::string left_event(std::span<const WatchedCall> calls, std::string_view code, bool lost);

}  // namespace cudalabs::lab6
