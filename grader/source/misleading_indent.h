// A line that looks as if it was in a loop or under a condition, and is not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

struct MisleadingIndent {
  std::uint32_t line = 0, column = 0;  // of the statement that is not part of it
  std::uint32_t head = 0, body = 0;    // the line of the `for`, `while` or `if`, and the only line that is part of it
  std::string word;                    // "for"

  bool operator==(const MisleadingIndent&) const = default;
};

/// The only line of the source that is indented as the single statement of a head without braces is, and follows it.
/// Heads and statements of several lines are not looked at.
std::optional<MisleadingIndent> misleading_indent(std::string_view source);

}  // namespace cudalabs
