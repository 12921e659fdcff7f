// Braces are followed outwards from the statement of the access.
#include "source/guard_text.h"

#include <algorithm>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer.
constexpr std::size_t kNoGuard = std::string_view::npos, kMostLevels = 32, kMostSubscripts = 8;

/// A condition of one variable, `inside` or `!inside`.
struct Condition {
  std::string name;
  bool holds = true;
};

std::optional<Condition> condition_of(std::string_view text) {
  std::string plain = without_blanks(text);
  const bool negated = plain.starts_with('!');
  if (negated) plain.erase(0, 1);
  return is_identifier(plain) ? std::optional(Condition{plain, !negated}) : std::nullopt;
}

/// Where the function's text begins: behind the last brace of the first column.
std::size_t begin_of_function(std::string_view code, const std::vector<std::string_view>& lines, std::uint32_t line) {
  const std::uint32_t before = end_of_function_before(lines, line);
  return before == 0 ? 0 : static_cast<std::size_t>(lines[before - 1].data() - code.data()) + 1;
}

/// Back from `at`, not before `first`: where its statement begins.
std::size_t begin_of_statement(std::string_view code, std::size_t at, std::size_t first) {
  int depth = 0;
  while (at > first) {
    const char letter = code[at - 1];
    depth += letter == ')' ? 1 : letter == '(' ? -1 : 0;
    if (depth <= 0 && (letter == ';' || letter == '{' || letter == '}')) break;
    --at;
  }
  return past_spaces(code, at);
}

/// The condition of the `if` that begins the statement; empty: none does.
std::string_view if_of(std::string_view statement) {
  if (!statement.starts_with("if") || end_of_word(statement, 0) != 2) return {};
  const std::size_t open = past_spaces(statement, 2), close = past_bracket(statement, open);
  return close == kNoGuard ? std::string_view() : statement.substr(open + 1, close - open - 2);
}

/// "x = inside ? in[i] : 0": which side reads.
std::optional<Condition> choice_in(std::string_view statement) {
  const std::size_t question = statement.find('?');
  if (question == kNoGuard || statement.find('?', question + 1) != kNoGuard) return std::nullopt;
  std::size_t colon = question;
  do {
    colon = statement.find(':', colon + 1);
    if (colon != kNoGuard && statement.substr(colon).starts_with("::")) ++colon;
  } while (colon != kNoGuard && statement[colon - 1] == ':');
  if (colon == kNoGuard) return std::nullopt;
  const bool first = statement.substr(question, colon - question).find('[') != kNoGuard,
             second = statement.substr(colon).find('[') != kNoGuard;
  const std::string_view name = word_before(statement, question);
  if (first == second || name.empty() || is_digit(name.front())) return std::nullopt;
  const auto begin = static_cast<std::size_t>(name.data() - statement.data());
  std::size_t last = before_spaces(statement, begin);
  if (last == kNoGuard) return std::nullopt;
  const bool negated = statement[last] == '!';
  if (negated) last = before_spaces(statement, last);
  if (last == kNoGuard || std::string_view("=(,").find(statement[last]) == kNoGuard) return std::nullopt;
  // "a == inside ? ...", and what is read beside the choice, is something else.
  if (statement[last] == '=' && last > 0 && std::string_view("=<>!").find(statement[last - 1]) != kNoGuard)
    return std::nullopt;
  return Condition{std::string(name), first != negated};
}

/// The last `if (outside) return;` of the text.
std::optional<Condition> way_out_in(std::string_view text) {
  std::optional<Condition> found;
  std::size_t end = 0;  // of the last condition
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (name != "if" || at < end) return;
    const std::string_view condition = if_of(text.substr(at));
    end = condition.empty() ? text.size()
                            : static_cast<std::size_t>(condition.data() - text.data()) + condition.size() + 1;
    if (condition.empty()) return;
    std::size_t next = past_spaces(text, end);
    if (text.substr(next).starts_with('{')) next = past_spaces(text, next + 1);
    const std::string_view word = text.substr(next, end_of_word(text, next) - next);
    if (word != "return" && word != "continue") return;
    const auto known = condition_of(condition);
    found = known ? std::optional(Condition{known->name, !known->holds}) : std::nullopt;
  });
  return found;
}

/// The condition that decides about the statement at `at`, and how far outwards it was looked for.
std::optional<Condition> guard_of(std::string_view code, std::size_t first, std::size_t at, bool reads) {
  const std::size_t begin = begin_of_statement(code, at, first);
  const std::string_view statement = code.substr(begin, code.find(';', begin) - begin);
  if (reads && statement.find('?') != kNoGuard) return choice_in(statement);
  if (const std::string_view condition = if_of(statement); !condition.empty()) return condition_of(condition);
  int depth = 0;
  std::size_t levels = 0;
  for (std::size_t i = begin; i-- > first;) {
    depth += code[i] == '}' ? 1 : code[i] == '{' ? -1 : 0;
    if (depth >= 0) continue;
    if (++levels > kMostLevels) return std::nullopt;
    depth = 0;
    const std::size_t head = begin_of_statement(code, i, first);
    const std::string_view condition = if_of(code.substr(head, i - head));
    if (!condition.empty()) return condition_of(condition);
  }
  return way_out_in(code.substr(first, begin - first));
}

/// What stands in brackets, and is more than a name or a number.
std::vector<std::string_view> subscripts_in(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t tried = 0;
  for (std::size_t open = text.find('['); open != kNoGuard; open = text.find('[', open + 1)) {
    const std::size_t close = past_bracket(text, open);
    if (close == kNoGuard || ++tried > kMostSubscripts) break;
    const std::string_view inner = text.substr(open + 1, close - open - 2);
    const bool computed = inner.find_first_of("+-") != inner.npos && inner.find('[') == inner.npos;
    if (computed) found.push_back(inner);
  }
  return found;
}

/// The line asks whether that is less than something.
bool asks_for(std::string_view line, const std::string& subscript) {
  const std::size_t question = line.find("if");
  if (question == kNoGuard) return false;
  const std::string plain = without_blanks(line.substr(question));
  for (std::size_t at = plain.find(subscript); at != std::string::npos; at = plain.find(subscript, at + 1)) {
    const std::size_t end = at + subscript.size();
    const bool begins = at > 0 && (plain[at - 1] == '(' || plain[at - 1] == '&' || plain[at - 1] == '|');
    if (begins && end < plain.size() && (plain[end] == '<' || plain[end] == '>')) return true;
  }
  return false;
}

}  // namespace

std::optional<KeptGuard> kept_guard_of(std::string_view source, std::uint32_t line, bool reads) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const auto place = static_cast<std::size_t>(lines[line - 1].data() - code.data()) + past_spaces(lines[line - 1], 0);
  const auto guard = guard_of(code, begin_of_function(code, lines, line), place, reads);
  if (!guard) return std::nullopt;
  const auto setting = last_setting_of(source, line, guard->name);
  if (!setting) return std::nullopt;
  const std::string_view text = lines[setting->line - 1];
  const std::size_t sign = text.find('=', setting->column - 1);
  if (sign == kNoGuard) return std::nullopt;
  const std::size_t begin = past_spaces(text, sign + 1);
  return KeptGuard{*setting, std::string(text.substr(begin, text.find(';', begin) - begin)), guard->holds};
}

std::optional<Setting> later_check_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  for (const std::string_view written : subscripts_in(lines[line - 1])) {
    const std::string subscript = without_blanks(written);
    bool before = false;
    for (std::size_t i = line; i-- > 0 && !lines[i].starts_with('}');) before = before || asks_for(lines[i], subscript);
    if (before) continue;
    for (std::size_t i = line; i < lines.size() && !lines[i].starts_with('}'); ++i) {
      if (!asks_for(lines[i], subscript)) continue;
      const std::size_t at = lines[i].find("if");
      return Setting{{std::string(written)},
                     static_cast<std::uint32_t>(i) + 1,
                     static_cast<std::uint32_t>(at) + 1,
                     Setting::How::asked};
    }
  }
  return std::nullopt;
}

}  // namespace cudalabs
