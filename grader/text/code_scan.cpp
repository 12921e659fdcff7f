// Letter by letter.
#include "text/code_scan.h"

#include <iterator>

namespace cudalabs {

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_';
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

std::size_t past_spaces(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::size_t before_spaces(std::string_view text, std::size_t at) {
  return at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", at - 1);
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word_letter(text[at])) ++at;
  return at;
}

std::string_view word_before(std::string_view text, std::size_t at) {
  const std::size_t last = before_spaces(text, at);
  if (last == std::string_view::npos || !is_word_letter(text[last])) return {};
  std::size_t begin = last;
  while (begin > 0 && is_word_letter(text[begin - 1])) --begin;
  return text.substr(begin, last + 1 - begin);
}

std::string_view without_outer_spaces(std::string_view text) {
  const std::size_t begin = past_spaces(text, 0), last = before_spaces(text, text.size());
  return last == std::string_view::npos || last < begin ? std::string_view() : text.substr(begin, last + 1 - begin);
}

std::string without_blanks(std::string_view text) {
  std::string plain;
  std::ranges::copy_if(text, std::back_inserter(plain), [](char letter) { return letter > ' '; });
  return plain;
}

std::string_view statement_around(std::string_view code, std::size_t place) {
  constexpr std::size_t kLongestStatement = 500;
  const std::size_t before = place == 0 ? kNowhere : code.find_last_of(";{}", place - 1);
  const std::size_t begin = past_spaces(code, before == kNowhere ? 0 : before + 1);
  const std::size_t end = code.find_first_of(";{}", place);
  if (end == kNowhere || code[end] != ';' || end - begin > kLongestStatement) return {};
  return code.substr(begin, end - begin);
}

bool begins_assignment(std::string_view text) {
  if (text.starts_with("<<=") || text.starts_with(">>=")) return true;
  if (text.starts_with('=')) return !text.starts_with("==");
  return text.size() > 1 && text[1] == '=' && std::string_view("+-*/%&|^").find(text[0]) != kNowhere;
}

std::size_t past_string(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const bool is_letter =
      (before.ends_with('\'') || before.ends_with("'\\")) && text.substr(before.size()).starts_with("\"'");
  if (at >= text.size() || text[at] != '"' || is_letter) return at;
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
  }
  return at;
}

std::string_view value_at(std::string_view code, std::size_t at) {
  constexpr std::size_t kLongestValue = 400;
  int depth = 0;
  std::size_t end = at;
  for (; end < std::min(code.size(), at + kLongestValue); ++end) {
    const char letter = code[end];
    const bool opens = letter == '(' || letter == '[' || letter == '{';
    const bool closes = letter == ')' || letter == ']' || letter == '}';
    if (depth == 0 && (closes || letter == ',' || letter == ';')) break;
    depth += opens ? 1 : closes ? -1 : 0;
  }
  return code.substr(at, end - at);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_word_letter);
}

std::size_t past_bracket(std::string_view text, std::size_t at) {
  constexpr std::string_view kOpen = "([{<", kClose = ")]}>";
  const std::size_t kind = at < text.size() ? kOpen.find(text[at]) : std::string_view::npos;
  int depth = 0;
  for (; kind != std::string_view::npos && at < text.size(); ++at) {
    depth += text[at] == kOpen[kind] ? 1 : text[at] == kClose[kind] ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

bool has_name(std::string_view text, std::string_view wanted) {
  bool found = false;
  for_each_name(text, [&](std::size_t, std::string_view name) { found = found || name == wanted; });
  return found;
}

std::vector<std::string_view> items_of(std::string_view list) {
  constexpr std::string_view kOpen = "([{<", kClose = ")]}>";
  std::vector<std::string_view> items;
  int depth = 0;
  for (std::size_t begin = 0, at = 0; at <= list.size(); ++at) {
    const char letter = at < list.size() ? list[at] : ',';
    depth += kOpen.find(letter) != std::string_view::npos ? 1 : kClose.find(letter) != std::string_view::npos ? -1 : 0;
    if (letter != ',' || (depth > 0 && at < list.size())) continue;
    const std::size_t first = past_spaces(list, begin), last = before_spaces(list, at);
    if (first < at && last != std::string_view::npos) items.push_back(list.substr(first, last + 1 - first));
    begin = at + 1;
  }
  return items;
}

bool is_member(std::string_view text, std::size_t at) {
  const std::size_t last = before_spaces(text, at);
  return last != std::string_view::npos &&
         (text[last] == '.' || (text[last] == '>' && last > 0 && text[last - 1] == '-'));
}

std::vector<BodyPlace> body_places(std::string_view code) {
  std::vector<BodyPlace> places(code.size());
  std::vector<BodyPlace> open;  // braces: what begins with each, or lies in it
  std::size_t head = 0;         // where what stands before the next body begins
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '{') {
      const std::string_view before = code.substr(head, at - head);
      const bool marked =
          before.find("__global__") != std::string_view::npos || before.find("__device__") != std::string_view::npos;
      const BodyPlace around = open.empty() ? BodyPlace{} : open.back();
      const bool scope = !around.inside && before.find("namespace") != std::string_view::npos;
      open.push_back({marked || around.device, !scope});
    }
    if (!open.empty()) places[at] = open.back();
    if (code[at] == '}' && !open.empty()) open.pop_back();
    if (code[at] == '{' || code[at] == '}' || code[at] == ';') head = at + 1;
  }
  return places;
}

}  // namespace cudalabs
