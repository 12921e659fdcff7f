// Braces are counted, and the statements between them are read where they belong to a structure.
#include "source/reference_member.h"

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// Longer heads and declarations are not looked at.
constexpr std::size_t kLongestRead = 300;

/// "Canvas" of "template <typename T> struct Canvas"; empty: it is the head of something else.
std::string_view structure_in(std::string_view head) {
  if (head.size() > kLongestRead || head.find('(') != kNowhere) return {};
  std::string_view found;
  for_each_name(head, [&](std::size_t at, std::string_view name) {
    const std::string_view before = word_before(head, at);
    if (before == "struct" || before == "class") found = name;
  });
  return found;
}

void add_members(std::string_view code, std::size_t begin, std::size_t end, std::string_view structure,
                 std::vector<ReferenceMember>& members) {
  const std::string_view text = code.substr(begin, end - begin);
  const std::size_t sign = text.find('&');
  const bool plain = text.size() <= kLongestRead && sign != kNowhere && text.find_first_of("(=[") == kNowhere &&
                     text.find("&&") == kNowhere && text.find("using ") == kNowhere;
  if (!plain) return;
  const std::string type = type_of_copy(text.substr(0, sign));
  for (const std::string_view item : items_of(text.substr(sign))) {
    if (!item.starts_with('&')) continue;
    const std::size_t at = past_spaces(item, 1);
    const std::string_view name = item.substr(at, end_of_word(item, at) - at);
    if (is_identifier(name))
      members.push_back(
          {std::string(structure), type, std::string(name), static_cast<std::size_t>(name.data() - code.data())});
  }
}

/// "public" before the colon.
bool ends_access(std::string_view code, std::size_t colon) {
  const std::string_view word = word_before(code, colon);
  return word == "public" || word == "private" || word == "protected";
}

}  // namespace

std::string type_of_copy(std::string_view type) {
  type = without_outer_spaces(type);
  constexpr std::string_view kConst = "const ";
  if (type.starts_with(kConst)) type.remove_prefix(kConst.size());
  return std::string(without_outer_spaces(type));
}

std::vector<ReferenceMember> reference_members(std::string_view code) {
  std::vector<ReferenceMember> members;
  std::vector<std::string_view> open;  // the structures whose braces are open; empty: of something else
  std::size_t begin = 0;               // of the statement
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char letter = code[at];
    const bool access = letter == ':' && ends_access(code, at);
    if (letter == ';' && !open.empty() && !open.back().empty()) add_members(code, begin, at, open.back(), members);
    if (letter == '{') open.push_back(structure_in(code.substr(begin, at - begin)));
    if (letter == '}' && !open.empty()) open.pop_back();
    if (letter == ';' || letter == '{' || letter == '}' || access) begin = at + 1;
  }
  return members;
}

}  // namespace cudalabs
