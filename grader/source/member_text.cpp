#include "source/member_text.h"

#include <algorithm>
#include <array>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read: a longer head or body is not, nor more functions of a class than that.
constexpr std::size_t kLongestHead = 600, kLongestBody = 4000, kMostMembers = 8;

/// "Event" of "Event&& other".
std::string_view moved_type(std::string_view parameters) {
  const std::size_t begin = past_spaces(parameters, 0), end = end_of_word(parameters, begin);
  return parameters.find("&&") == kNowhere ? std::string_view() : parameters.substr(begin, end - begin);
}

/// It calls nothing but what moves values.
bool only_moves(std::string_view text) {
  constexpr std::array<std::string_view, 3> kMoving{"exchange", "move", "if"};
  bool only = true;
  for (std::size_t open = text.find('('); open != kNowhere; open = text.find('(', open + 1)) {
    const std::string_view called = word_before(text, open);
    only = only && (called.empty() || std::ranges::find(kMoving, called) != kMoving.end());
  }
  return only && text.find('[') == kNowhere;
}

/// Where the text gives the member a value, and has its name nowhere else.
std::size_t only_assignment(std::string_view text, std::string_view member) {
  std::size_t found = kNowhere, names = 0;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (name != member) return;
    ++names;
    if (begins_assignment(text.substr(past_spaces(text, at + name.size())))) found = at;
  });
  return names == 1 && text.find("this->") == kNowhere ? found : kNowhere;
}

}  // namespace

std::optional<MemberText> member_from(std::string_view code, std::size_t open) {
  const std::size_t close = past_bracket(code.substr(0, std::min(code.size(), open + kLongestHead)), open);
  if (close == kNowhere) return std::nullopt;
  MemberText member{code.substr(open + 1, close - open - 2), close, 0, false};
  const std::size_t most = std::min(code.size(), close + kLongestHead);
  for (std::size_t at = close; at < most; ++at) {
    if (code[at] == ';') {
      member.end = at;
      member.deleted = has_name(code.substr(close, at - close), "delete");
      return member.deleted ? std::optional(member) : std::nullopt;
    }
    if (code[at] != '{' && code[at] != '(') continue;
    // "data_{other.data_}" has a name before its brace, and behind it a comma or the body.
    const std::size_t past = past_bracket(code.substr(0, std::min(code.size(), at + kLongestBody)), at);
    if (past == kNowhere) return std::nullopt;
    const std::string_view word = word_before(code, at);
    const bool initializer = code[at] == '(' || (!word.empty() && word != "noexcept" && word != "const");
    if (!initializer) {
      member.end = past;
      return member;
    }
    at = past - 1;
  }
  return std::nullopt;
}

DestructorText destructor_of(std::string_view code, std::string_view type) {
  DestructorText destructor;
  std::size_t looked_at = 0;
  for (std::size_t sign = code.find('~'); sign != kNowhere; sign = code.find('~', sign + 1)) {
    const std::size_t name = past_spaces(code, sign + 1), end = end_of_word(code, name), open = past_spaces(code, end);
    if (code.substr(name, end - name) != type || open >= code.size() || code[open] != '(') continue;
    if (++looked_at > kMostMembers) break;
    const auto member = member_from(code, open);
    if (!member || member->deleted) continue;
    const std::string_view body = code.substr(member->head, member->end - member->head);
    for_each_name(body, [&](std::size_t at, std::string_view word) {
      destructor.names.insert(word);
      if (word != "cudaFree" && word != "cudaEventDestroy" && word != "cudaStreamDestroy") return;
      const std::size_t bracket = past_spaces(body, at + word.size());
      const std::size_t argument = past_spaces(body, bracket + 1), behind = end_of_word(body, argument);
      const std::size_t close = past_spaces(body, behind);
      const bool plain = bracket < body.size() && body[bracket] == '(' && close < body.size() && body[close] == ')';
      if (plain) destructor.freed.insert(body.substr(argument, behind - argument));
    });
    return destructor;
  }
  return destructor;
}

std::optional<Setting> overwritten_by_move(std::string_view code, std::string_view member) {
  std::optional<Setting> found;
  std::size_t looked_at = 0;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t sign = past_spaces(code, at + word.size()), open = past_spaces(code, sign + 1);
    if (word != "operator" || open >= code.size() || code[sign] != '=' || code[open] != '(') return;
    if (++looked_at > kMostMembers) return;
    const auto move = member_from(code, open);
    const std::string_view type = move && !move->deleted ? moved_type(move->parameters) : std::string_view();
    if (type.empty() || !destructor_of(code, type).freed.contains(member)) return;
    const std::string_view body = code.substr(move->head, move->end - move->head);
    const std::size_t assigned = only_moves(body) ? only_assignment(body, member) : kNowhere;
    several = several || found;
    if (assigned != kNowhere) found = setting_at_place(code, move->head + assigned, member);
  });
  return several || looked_at > kMostMembers ? std::nullopt : found;
}

}  // namespace cudalabs
