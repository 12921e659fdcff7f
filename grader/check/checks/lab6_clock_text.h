// What a source says of the clocks that it reads: their units, and the powers of ten by which it multiplies and
// divides.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace cudalabs::lab6 {

inline constexpr std::string_view kByEvents = "cudaEventElapsedTime";

/// A reading of a clock: what shows its unit ("duration_cast"), the power of ten of how many of the unit a millisecond
/// has, and its place.
struct Reading {
  std::string_view by;
  int power = 0;
  std::size_t at = 0;
};

/// A factor of 10 to `power`, as it stands in the text: "/ 1000.0".
struct Factor {
  int power = 0;
  std::size_t at = 0, end = 0;
};

/// All of the host's code, in which `code`, without comments, is what it points into.
struct ClockText {
  std::vector<Reading> readings;
  std::vector<Factor> factors;  // but those of whole seconds that are added to a fraction
};
ClockText clock_text(std::string_view code);

}  // namespace cudalabs::lab6
