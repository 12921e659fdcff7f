// Times of lab 6 whose fraction was cut off.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/submission_run.h"

namespace cudalabs::lab6 {

/// All of several cases returned whole milliseconds. A clock counts nanoseconds: such a number was cut off.
bool all_are_whole(const std::vector<const CaseRun*>& cases);

/// Why a time is whole, with the only line of the source that converts one to a whole number of milliseconds or
/// seconds, where there is one.
std::string why_whole(double milliseconds, std::string_view source);

/// Likewise, why a time is the same in all cases: where it is a multiple of what that line counts. Else empty.
std::string why_the_same(double milliseconds, std::string_view source);

}  // namespace cudalabs::lab6
