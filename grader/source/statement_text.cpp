#include "source/statement_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

struct Keyword {
  std::string_view word;
  StatementKind kind;
};
constexpr std::array<Keyword, 5> kKeywords{{{"if", StatementKind::branch},
                                            {"switch", StatementKind::branch},
                                            {"for", StatementKind::loop},
                                            {"while", StatementKind::loop},
                                            {"do", StatementKind::loop}}};

bool has_word(std::string_view code, std::size_t at, std::string_view word) {
  return code.substr(at, end_of_word(code, at) - at) == word;
}

/// Behind the statement that begins there: its closing brace, or its semicolon.
std::size_t past_statement(std::string_view code, std::size_t at) {
  while (at < code.size()) {
    const char letter = code[at];
    if (letter == ';') return at + 1;
    if (letter == '{') return past_bracket(code, at);
    at = letter == '(' || letter == '[' ? past_bracket(code, at) : at + 1;
  }
  return kNowhere;
}

/// Likewise, with each `else`, and the condition at the end of a `do`.
std::size_t past_whole(std::string_view code, std::size_t at, std::string_view word) {
  std::size_t end = past_statement(code, at);
  while (end != kNowhere) {
    const std::size_t next = past_spaces(code, end);
    const bool goes_on = next < code.size() && ((word == "if" && has_word(code, next, "else")) ||
                                                (word == "do" && has_word(code, next, "while")));
    if (!goes_on) break;
    end = past_statement(code, next);
  }
  return end;
}

}  // namespace

std::optional<StatementText> statement_in(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string_view text = lines[line - 1];
  const auto begin = static_cast<std::size_t>(text.data() - code.data());
  std::optional<StatementText> found;
  bool several = false;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const auto keyword = std::ranges::find(kKeywords, name, &Keyword::word);
    if (keyword == kKeywords.end() || several) return;
    several = found.has_value();
    const std::size_t end = past_whole(code, begin + at, name);
    if (end == kNowhere) return;
    found = StatementText{keyword->kind, keyword->word, line, line_at(code, end - 1)};
  });
  if (several) return std::nullopt;
  if (!found && std::ranges::count(text, '?') == 1) return StatementText{StatementKind::conditional, "?:", line, line};
  return found;
}

}  // namespace cudalabs
