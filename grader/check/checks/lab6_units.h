// Times of lab 6 that are in another unit than milliseconds.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs::lab6 {

/// ": about a thousand times that, as if these were microseconds", of a time that is 10 to `power` times what it can
/// be.
std::string times_too_much(int power);

/// Why the times of `function` are 10 to `power` times too much: ": `duration_cast` in line 15 counts nanoseconds, and
/// line 19 has `/ 1000.0`: ...". Only where one reading of a clock and one factor of the source, or none, explain just
/// that power. Else empty.
std::string why_other_unit(int power, std::string_view source, std::string_view function);

}  // namespace cudalabs::lab6
