// Readings of a clock that a `float` keeps: it has seven digits, and a clock that has been on for days needs more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::lab6 {

/// The lines with a `float` that a reading becomes, in their order: a conversion, "duration<float>(since_start)", a
/// variable, a parameter, or what a function returns. A difference of two readings is none. `code` has no comments.
std::vector<std::uint32_t> float_readings(std::string_view code);

/// ": the `float` in line 12 has room for seven digits, ...", of a time of a clock that is none at all, or is as long
/// as the steps of such a reading. Empty: it is another one, or the source has no such line.
std::string why_no_digits(double milliseconds, std::string_view source);

}  // namespace cudalabs::lab6
