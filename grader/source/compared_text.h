// A comparison among others of a condition, read as text.
#pragma once

#include <cstddef>
#include <string_view>

namespace cudalabs {

struct ComparedText {
  std::string_view text;  // "col < p"
  std::string_view sign;  // that keeps it together with others, "&&" or "||"; empty: it stands alone, or between both
};

/// The comparison in the line whose relation, of so many letters, is at the place. What goes on in other lines is not
/// seen.
ComparedText compared_at(std::string_view line, std::size_t at, std::size_t length);

}  // namespace cudalabs
