#include "source/structure_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {

std::vector<std::string> word_members(std::string_view source, std::string_view type) {
  constexpr std::array<std::string_view, 6> kWords{"int", "unsigned", "float", "int32_t", "uint32_t", "unsigned int"};
  const std::string text = without_comments(source);
  const std::string_view code = text;
  std::string_view body;
  bool defined = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    const std::string_view before = word_before(code, at);
    const bool defines =
        word == type && (before == "struct" || before == "class") && code.substr(open).starts_with('{');
    const std::size_t end = defines && !defined ? past_bracket(code, open) : kNowhere;
    defined = defined || defines;
    if (end != kNowhere) body = code.substr(open + 1, end - open - 2);
  });
  std::vector<std::string> members;
  for (std::size_t at = 0, end = body.find(';'); end != kNowhere; at = end + 1, end = body.find(';', at)) {
    const std::vector<std::string_view> names = items_of(body.substr(at, end - at));
    if (names.empty()) return {};
    const std::string_view first = word_before(names.front(), names.front().size());
    const std::string_view declared =
        without_outer_spaces(names.front().substr(0, names.front().size() - first.size()));
    const std::string_view plain = declared.starts_with("std::") ? declared.substr(5) : declared;
    if (std::ranges::find(kWords, plain) == kWords.end() || !names.front().ends_with(first)) return {};
    members.emplace_back(first);
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (!is_identifier(names[i])) return {};
      members.emplace_back(names[i]);
    }
  }
  return members;
}

}  // namespace cudalabs
