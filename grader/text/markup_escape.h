// Text as it stands in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs {

/// `text` for an element or for an attribute in quotes of either kind; `>` is escaped as well, so that no text contains
/// "]]>". Control characters stay: printable() makes them visible.
std::string escaped_markup(std::string_view text);

}  // namespace cudalabs
