// How many rounds a loop has that counts from one number to another. Read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "source/loop_text.h"

namespace cudalabs {

/// "for (int t = z; t < phases; t += 2)"; of places in the code of the loop.
struct CountingLoop {
  std::string_view counter, first, end, step;  // "t", "z", "phases", "2"; of "++t" the last is "1"
  bool upwards = true;
  bool with_end = false;  // "t <= phases", "t >= 0"

  /// How often it goes round. Nothing: it has no end.
  std::optional<std::int64_t> rounds(std::int64_t first_value, std::int64_t end_value, std::int64_t step_value) const;
};

/// Nothing where the loop counts in another way, where it changes its counter elsewhere, or where it may be left before
/// its end. `code` is what the loop was found in.
std::optional<CountingLoop> counting_loop(std::string_view code, const LoopText& loop);

}  // namespace cudalabs
