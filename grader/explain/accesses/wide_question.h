// Whether the text of a condition or of a loop counts in groups of elements.
#pragma once

#include <cstdint>
#include <string_view>

#include "source/condition_text.h"
#include "source/source_number.h"

namespace cudalabs {

/// "col + 4 <= p", "i < n4" behind "n4 = n / 4", "k += VEC": a number in the expression, or in what its names are set
/// to, is `together` or one less. `numbers` are those of the text in whose line `line` it stands.
bool counts_in_groups(std::string_view expression, std::uint32_t line, std::uint64_t together,
                      const SourceNumbers& numbers);

/// "row < m && col < p": it only asks whether there is an element, and lets every thread that has one go the same way.
bool is_plain_guard(const ConditionText& condition, std::string_view code, std::uint64_t together,
                    const SourceNumbers& numbers);

}  // namespace cudalabs
