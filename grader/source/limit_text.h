// Where a source takes the smaller of two values, read as text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs {

/// "std::min(blocks, MOST)", "blocks < MOST ? blocks : MOST", "if (blocks > MOST) blocks = MOST;".
struct LimitText {
  std::string_view text;               // all of it
  std::string_view left, right;        // the two values
  std::uint32_t line = 0, column = 0;  // where the text begins
  bool is_statement = false;           // an `if`, which changes the one that is larger
};

/// Those of host code, in their order; of `code`, which has no comments.
std::vector<LimitText> host_limits(std::string_view code);

}  // namespace cudalabs
