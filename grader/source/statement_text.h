// A statement of a source that decides whether, or how often, others are executed. Read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

enum class StatementKind : std::uint8_t { branch, loop, conditional };

struct StatementText {
  StatementKind kind = StatementKind::branch;  // `if` and `switch`; `for`, `while` and `do`; `?:`
  std::string_view word;                       // "if", "for", "?:"
  std::uint32_t line = 0, last_line = 0;       // of the statement, with what it decides about, and its `else`

  bool holds(std::uint32_t other) const { return line <= other && other <= last_line; }
  bool operator==(const StatementText&) const = default;
};

/// The only one that begins in that line; of a `?:` the line alone. Nothing where there are several. `code` has no
/// comments.
std::optional<StatementText> statement_in(std::string_view code, std::uint32_t line);

}  // namespace cudalabs
