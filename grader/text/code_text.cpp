// The text of a program.
#include "text/code_text.h"

#include <algorithm>

namespace cudalabs {
namespace {

/// Past the end of the string literal that begins at `begin`.
std::size_t end_of_literal(std::string_view code, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < code.size() && code[at] != '"') at += code[at] == '\\' ? 2 : 1;
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
      const std::size_t end = code[i] == '"' ? end_of_literal(code, i) : i + 1;
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

}  // namespace cudalabs
