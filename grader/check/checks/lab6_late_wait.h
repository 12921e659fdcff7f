// A call that waits for the device after the clock was read for the second time.
#pragma once

#include <string>
#include <string_view>

#include "run/run.h"

namespace cudalabs::lab6 {

/// What is wrong with such a call: where it is made by an object that ends with its scope after the one that reads the
/// clock, the order in which the two are declared.
std::string late_wait(const WatchedCall& wait, std::string_view source);

}  // namespace cudalabs::lab6
