// The loop for the elements of a row that no wide access takes.
#pragma once

#include <cstdint>
#include <string_view>

#include "source/condition_text.h"

namespace cudalabs {

/// Of a condition such as "col + 3 < width", which lets a thread do several elements at once: the line of the loop
/// after its `else`, or behind it where it returns, that goes on to the end of the row, "col + k < width", however many
/// elements that is. 0: there is none, or it may end before that. `code` has no comments.
std::uint32_t unlimited_rest(std::string_view code, const ConditionText& condition);

}  // namespace cudalabs
