// Which event of a pair does not stand where it should, told by the order of the calls and of the device's work.
#pragma once

#include <string>
#include <vector>

#include "run/run.h"

namespace cudalabs::lab6 {

/// Of the calls of a function that times its last launch with two events, whose time is asked for and does not have
/// that launch between them, or was not waited for: which event is to blame, and the line of the call that records it.
/// Empty where the calls do not tell: where no time is asked for, or the events are not known.
std::string trouble_with_events(const std::vector<WatchedCall>& calls);

}  // namespace cudalabs::lab6
