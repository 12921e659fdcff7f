// Markup in which all text is harmless.
#include "page/markup.h"

#include <utility>

#include "report/printable.h"
#include "text/markup_escape.h"

namespace cudalabs::page {

std::string escaped(std::string_view text) {
  return escaped_markup(printable(text));
}

Markup Markup::made_here(std::string markup) {
  return Markup(std::move(markup));
}

Markup Markup::prose(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t end = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (end == std::string_view::npos) break;
    result += escaped(text.substr(0, open)) + "<code>" + escaped(text.substr(open + 1, end - open - 1)) + "</code>";
    text.remove_prefix(end + 1);
  }
  return Markup(result + escaped(text));
}

}  // namespace cudalabs::page
