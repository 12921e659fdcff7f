// Divisions in a program's text that a number of blocks, or the end of a guard, is computed by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/setting_text.h"

namespace cudalabs {

/// `n / 4`, which drops what is left over.
struct Division {
  std::string text;
  std::int64_t divisor = 0;
  Setting where;

  bool operator==(const Division&) const = default;
};

/// Of a line that computes a number of blocks by `(count + block - 1) / block` out of a variable, where that is the
/// block of the launch in the line `launch`: where that variable is set, in the same function.
std::optional<Setting> count_of_blocks(std::string_view source, std::uint32_t line, std::uint32_t launch);

/// Whether some `(count + block - 1) / block`, or `(count + 31) / 32`, stands in that line.
bool rounds_up(std::string_view source, std::uint32_t line);
/// Or in any line.
bool rounds_up(std::string_view source);

/// The division that computes what an index is compared with on the way to the store in `line`: in that comparison, in
/// the line that sets what it compares with, or, of a parameter of the kernel, in the host's line that sets the
/// argument of its only launch. Its divisor is a number, or a constant that the source gives a number.
std::optional<Division> bound_that_drops(std::string_view source, std::uint32_t line);

/// The first division among those that set what the expressions, which stand in `line`, depend on, in the same
/// function.
std::optional<Division> division_behind(std::string_view source, std::uint32_t line,
                                        const std::vector<std::string_view>& expressions);

/// The kernel has a loop before `line`.
bool loops_before(std::string_view source, std::uint32_t line);

}  // namespace cudalabs
