// Macros with parameters whose arguments or values the compiler reads in another way than they are meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "#define AT(r, c) r * n + c", and in a line "a[AT(i + 1, j)]".
struct MisreadCall {
  std::string written;     // "AT(i + 1, j)"
  std::string read_as;     // "i + 1 * n + j"
  std::string parameter;   // "r", which the operators beside it take apart; empty: they do so to the whole value
  std::string right;       // "#define AT(r, c) ((r) * n + (c))"
  Setting definition;      // of its name
  std::uint32_t line = 0;  // where it is used

  bool operator==(const MisreadCall&) const = default;
};

/// The first such use in that line, of a macro that is defined once, and in one line.
std::optional<MisreadCall> misread_call(std::string_view source, std::uint32_t line);
/// The first in the lines from `first` to `last`.
std::optional<MisreadCall> misread_call_in(std::string_view source, std::uint32_t first, std::uint32_t last);

/// Shows the definition beside a finding that has such a use in a line that it shows. Elements of an output that are
/// wrong, and accesses out of bounds, are placed at the definition where another line of the same function has such a
/// use. True where there is one.
bool show_misread_call(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
