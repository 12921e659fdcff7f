// Lab 6: why a function whose launch or kernel failed returned a number that is not negative.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "check/submission_run.h"

namespace cudalabs::lab6 {

/// 2^64 over 10^6, near which a number is that was negative until it became one of an unsigned type of `bits`.
struct WrappedNegative {
  int bits = 64, power = 0;  // of 2, and of the 10 that it was divided by

  bool operator==(const WrappedNegative&) const = default;
};
std::optional<WrappedNegative> wrapped_negative(double returned);

/// Of such a number: that it is one, and the line of `code` that gives a negative constant an unsigned type, where that
/// is known. Empty: it is another number. `code` has no comments, here and below.
std::string why_wrapped(double returned, std::string_view code);

/// Of a run in which a call told the program of the error: which call, and what is to be done with what it returned.
/// Empty where its place is not known.
std::string error_in_hand(const WatchedCall& told, std::string_view code);

}  // namespace cudalabs::lab6
