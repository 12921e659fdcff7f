#include "explain/kept/static_variables.h"

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {

std::set<std::string_view> static_variables(std::string_view code) {
  constexpr std::size_t kLongest = 200;
  std::set<std::string_view> names;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "static") return;
    const std::string_view declaration = code.substr(at, kLongest);
    const std::size_t end = declaration.find_first_of("=;{(");
    if (end == kNowhere || declaration[end] == '(') return;
    const std::string_view type = declaration.substr(0, end);
    if (type.find("const") != kNowhere || type.find("__") != kNowhere) return;
    std::string_view name = word_before(declaration, end);
    if (const std::size_t open = type.find('['); open != kNowhere) name = word_before(declaration, open);
    if (!name.empty() && name != "static") names.insert(name);
  });
  return names;
}

}  // namespace cudalabs
