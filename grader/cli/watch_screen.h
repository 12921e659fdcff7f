// What `grade watch` shows after a grading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudalabs {

/// Rows below the report: an empty one, what changed, and what is waited for.
constexpr std::size_t kWatchFooterRows = 3;

/// The report, what changed (the first line of `changes`; empty: nothing is known) and `waiting`. At most `rows` rows
/// of `width` columns, without a line end at the end, which would scroll the first row away. Of a report that is
/// longer, as of what a compiler says, the beginning stays: the first error is there.
std::string watch_screen(std::string_view report, std::string_view changes, std::string_view waiting, std::size_t rows,
                         std::size_t width);

}  // namespace cudalabs
