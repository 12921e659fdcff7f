// Parts of what is advised about a missing barrier, in whose place who has the source says more.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace cudalabs::vgpu {

/// Where a barrier goes that ends a round.
inline std::string after_line(std::uint32_t line) {
  return fmt::format("after line {},", line);
}

/// Where one goes between two lines: its begin and its end.
inline std::string from_line(std::uint32_t line) {
  return fmt::format("between line {} and", line);
}
inline std::string to_line(std::uint32_t line) {
  return fmt::format("and line {}", line);
}

/// How advice ends about a barrier that may stand inside of a condition.
inline std::string outside_of_condition(std::uint32_t line) {
  return fmt::format(", outside of the condition in line {}: all threads must reach it", line);
}

}  // namespace cudalabs::vgpu
