#include "source/device_variable_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Of a name that is used more often nobody says what changes it.
constexpr std::size_t kMostUses = 64;

/// "=", "+=", "<<=", "++" at `at`; not "==".
bool changes_what_is_before(std::string_view code, std::size_t at) {
  const std::string_view rest = code.substr(std::min(at, code.size()));
  if (rest.starts_with("++") || rest.starts_with("--")) return true;
  const std::size_t sign = rest.find_first_not_of("+-*/%&|^<>");
  constexpr std::size_t kLongest = 2;  // before the sign
  if (sign == kNowhere || sign > kLongest || rest[sign] != '=' || rest.substr(sign).starts_with("==")) return false;
  return rest.substr(0, sign) != "<" && rest.substr(0, sign) != ">";
}

bool is_before(std::string_view code, std::size_t at, std::string_view sign) {
  const std::size_t last = before_spaces(code, at);
  return last != kNowhere && code.substr(0, last + 1).ends_with(sign);
}

/// What a use of the variable's name does.
struct Use {
  enum class Kind : std::uint8_t { reads, changes, unclear } kind = Kind::reads;
  VariableChange change = {};
};

/// "atomicInc(&name, limit)", where the sign is at `sign`.
Use use_by_pointer(std::string_view code, std::size_t sign) {
  const std::size_t open = before_spaces(code, sign);
  if (open == kNowhere || code[open] != '(') return {Use::Kind::unclear};
  const std::string_view function = word_before(code, open);
  const std::size_t end = past_bracket(code, open);
  if (!function.starts_with("atomic") || end == kNowhere) return {Use::Kind::unclear};
  const auto arguments = items_of(code.substr(open + 1, end - open - 2));
  Use use{Use::Kind::changes};
  use.change.atomic = function;
  if (arguments.size() > 1) use.change.limit = arguments[1];
  return use;
}

Use use_at(std::string_view code, std::size_t at, std::string_view name) {
  const std::size_t last = before_spaces(code, at);
  std::size_t end = past_spaces(code, at + name.size());
  // An element of an array is a part of it.
  if (end < code.size() && code[end] == '[') end = past_spaces(code, std::min(past_bracket(code, end), code.size()));
  const std::string_view before = word_before(code, at);
  constexpr std::array<std::string_view, 3> kKeywords{"return", "else", "case"};
  if (!before.empty() && std::ranges::find(kKeywords, before) == kKeywords.end()) return {Use::Kind::unclear};
  if (last != kNowhere && code[last] == '&' && !is_before(code, at, "&&")) {
    const std::size_t left = before_spaces(code, last);
    const bool is_operator = left != kNowhere && (is_word_letter(code[left]) || code[left] == ')' || code[left] == ']');
    if (!is_operator) return use_by_pointer(code, last);
  }
  if (is_before(code, at, "++") || is_before(code, at, "--") || changes_what_is_before(code, end))
    return {Use::Kind::changes};
  return {};
}

}  // namespace

std::optional<VariableChange> only_change_of(std::string_view source, std::string_view name) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::size_t uses = 0, changes = 0;
  bool unclear = false;
  std::optional<VariableChange> found;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != name || !bodies[at].inside || !bodies[at].device || ++uses > kMostUses) return;
    Use use = use_at(code, at, name);
    unclear = unclear || use.kind == Use::Kind::unclear;
    if (use.kind != Use::Kind::changes) return;
    ++changes;
    const std::size_t newline = code.rfind('\n', at);
    use.change.line = line_at(code, at);
    use.change.column = static_cast<std::uint32_t>(newline == kNowhere ? at + 1 : at - newline);
    found = std::move(use.change);
  });
  return unclear || changes != 1 || uses > kMostUses ? std::nullopt : found;
}

}  // namespace cudalabs
