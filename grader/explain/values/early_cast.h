// A value that is cut to a byte before it is divided: "(byte)(sum) / 256".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

struct EarlyCast {
  std::string type;                    // "unsigned char"
  std::string divisor;                 // "256", or "SHIFT" of a shift to the right
  std::uint32_t line = 0, column = 0;  // of the cast
  bool shifts = false;

  bool operator==(const EarlyCast&) const = default;
};

/// The only cast to a type of 8 bits in the device's functions whose result is divided or shifted to the right; types
/// that the source has other names for count, too.
std::optional<EarlyCast> only_early_cast(std::string_view source);

/// Of outputs with wrong values that the finding shows being made in that line: places it there, and says what comes
/// first in the line. `source` is the submission's text, `file` its name.
void show_early_casts(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
