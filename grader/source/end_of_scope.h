// Objects that end with their scope, the last one first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// "Wait wait(result);" before "Clock clock(ms);" in one block: the clock ends first.
struct EndOfScope {
  std::string late, early;  // the variables
  std::uint32_t late_line = 0, early_line = 0;

  bool operator==(const EndOfScope&) const = default;
};

/// Of the destructor with line `within`, which the end of a block in line `end` calls: the object that it belongs to,
/// and one declared after it in that block whose destructor reads a clock. Nothing where it is not so, or not sure.
/// `code` has no comments.
std::optional<EndOfScope> clock_that_ends_before(std::string_view code, std::uint32_t within, std::uint32_t end);

}  // namespace cudalabs
