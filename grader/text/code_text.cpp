// The text of a program.
#include "text/code_text.h"

#include <algorithm>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// "R" before the quote at `at`, alone or behind a prefix such as "u8".
bool is_raw(std::string_view code, std::size_t at) {
  if (at == 0 || code[at - 1] != 'R') return false;
  const std::string_view before = word_before(code.substr(0, at), at);
  return before == "R" || before == "u8R" || before == "uR" || before == "UR" || before == "LR";
}

/// "1'000": the quote at `at` stands in a number and not before a character.
bool separates_digits(std::string_view code, std::size_t at) {
  if (at == 0 || !is_word_letter(code[at - 1])) return false;
  return is_digit(word_before(code, at).front());
}

std::size_t end_of_raw(std::string_view code, std::size_t begin) {
  const std::size_t open = code.find('(', begin);
  if (open == std::string_view::npos) return begin + 1;
  std::string closing(1, ')');
  closing.append(code.substr(begin + 1, open - begin - 1)).push_back('"');
  const std::size_t end = code.find(closing, open);
  return end == std::string_view::npos ? code.size() : end + closing.size();
}

/// Past the end of the literal that begins with the quote at `begin`; the end of its line ends it, too.
std::size_t end_of_literal(std::string_view code, std::size_t begin) {
  const char quote = code[begin];
  if (quote == '"' && is_raw(code, begin)) return end_of_raw(code, begin);
  std::size_t at = begin + 1;
  while (at < code.size() && code[at] != quote && code[at] != '\n') at += code[at] == '\\' ? 2 : 1;
  return std::min(at + 1, code.size());
}

/// Likewise of the comment; a line's end is no part of one.
std::size_t end_of_comment(std::string_view code, std::size_t begin) {
  const bool line = code[begin + 1] == '/';
  const std::size_t found = line ? code.find('\n', begin) : code.find("*/", begin + 2);
  return found == std::string_view::npos ? code.size() : line ? found : found + 2;
}

}  // namespace

std::string without_comments(std::string_view code) {
  std::string result;
  for (std::size_t i = 0; i < code.size();) {
    const std::string_view two = code.substr(i, 2);
    if (two == "//" || two == "/*") {
      const std::size_t end = end_of_comment(code, i);
      result += ' ';
      result.append(static_cast<std::size_t>(std::ranges::count(code.substr(i, end - i), '\n')), '\n');
      i = end;
    } else {
      const bool begins = code[i] == '"' || (code[i] == '\'' && !separates_digits(code, i));
      const std::size_t end = begins ? end_of_literal(code, i) : i + 1;
      result += code.substr(i, end - i);
      i = end;
    }
  }
  return result;
}

std::vector<std::string_view> text_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::uint32_t line_at(std::string_view text, std::size_t place) {
  return static_cast<std::uint32_t>(std::ranges::count(text.substr(0, place), '\n')) + 1;
}

std::size_t place_of_line(std::string_view text, std::uint32_t line, std::uint32_t column) {
  const std::vector<std::string_view> lines = text_lines(text);
  if (line == 0 || line > lines.size()) return std::string_view::npos;
  const std::string_view found = lines[line - 1];
  const std::size_t first = std::min(found.find_first_not_of(" \t"), found.size());
  return static_cast<std::size_t>(found.data() - text.data()) +
         (column > 0 && column <= found.size() ? column - 1 : first);
}

std::uint32_t end_of_function_before(const std::vector<std::string_view>& lines, std::uint32_t line) {
  for (std::size_t i = std::min<std::size_t>(line, lines.size() + 1); i-- > 1;) {
    if (lines[i - 1].starts_with('}')) return static_cast<std::uint32_t>(i);
  }
  return 0;
}

}  // namespace cudalabs
