// Jumps by which a launch goes past the line that asks for its error. Read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

struct SkippedCheck {
  std::string_view jump;               // "return", "goto", "break", "continue"
  std::uint32_t line = 0, column = 0;  // of the jump
  std::uint32_t check = 0;             // the line behind it that asks
  std::string_view call;               // what asks there: "cudaGetLastError", or a function or macro that calls it

  bool operator==(const SkippedCheck&) const = default;
};

/// Of the launch that begins in that line: the first jump between it and the next line that asks for the error of a
/// launch, where every other way comes to that line. Nothing: no line behind it asks, no jump comes first, or a
/// condition or the preprocessor decides about either. `code` has no comments.
std::optional<SkippedCheck> skipped_check(std::string_view code, std::uint32_t launch);

}  // namespace cudalabs
