// Printable text on a terminal: how much room it takes. What makes it printable: text/untrusted_text.h.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/untrusted_text.h"

namespace cudalabs {

/// Columns that printable text takes on a terminal, one a code point (none for combining marks).
std::size_t display_width(std::string_view text);

/// The longest start of printable `text` that takes at most `columns` columns.
std::string_view fit(std::string_view text, std::size_t columns);

}  // namespace cudalabs
