// Jumps by which a function is left before it has released what it allocates. Read as text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs {

/// A `return`, or a `goto` past the release.
struct EarlyExit {
  std::string_view jump;     // "return", "goto done"
  std::uint32_t line = 0;    // of the jump
  std::uint32_t missed = 0;  // the line of the release that it goes past
  /// Where a question for an error leads to it: the line of the question that has the call in it, or of the statement
  /// before the question. 0: the text does not say so.
  std::uint32_t asked_from = 0;

  bool operator==(const EarlyExit&) const = default;
};

/// Of the function that has line `line`, in which `allocate` sets `pointer`, which may be "buffers[0]": the jumps
/// behind it that no call of `release` with the pointer comes before, where a way without a jump always comes to one
/// later. Empty: there are none, or it is not sure. `code` has no comments.
std::vector<EarlyExit> early_exits(std::string_view code, std::uint32_t line, std::string_view allocate,
                                   std::string_view release, std::string_view pointer);

}  // namespace cudalabs
