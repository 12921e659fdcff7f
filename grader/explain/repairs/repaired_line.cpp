#include "explain/repairs/repaired_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

bool is_letter_of_factor(char letter) {
  return is_word_letter(letter) || letter == '.';
}

bool ends_value(char letter) {
  return is_word_letter(letter) || letter == ')' || letter == ']';
}

}  // namespace

RepairedLine repaired_line(std::string_view source, const SourcePlace& place) {
  const std::string code = without_comments(source);
  const auto lines = text_lines(code);
  if (place.line == 0 || place.line > lines.size() || lines[place.line - 1].size() > kLongestRepairedLine) return {};
  return {std::string(lines[place.line - 1]), place.column, place.line};
}

std::vector<std::size_t> places_of(std::string_view word, const std::string& text) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !(is_word_letter(text[at - 1]) || text[at - 1] == '.');
    const bool ends = end == text.size() || !(is_word_letter(text[end]) || text[end] == '.');
    if (begins && ends) places.push_back(at);
  }
  return places;
}

bool stands_once(std::string_view word, const RepairedLine& line) {
  return places_of(word, line.text).size() == 1;
}

std::string in_place(std::string_view replacement, std::string_view original) {
  return fmt::format("`{}` in place of `{}`", replacement, original);
}

std::string one_of(std::string_view name, const RepairedLine& line) {
  const std::size_t count = name.empty() ? 0 : places_of(name, line.text).size();
  return count == 0 ? std::string() : fmt::format("{}`{}`", count == 1 ? "" : "one of the ", name);
}

std::vector<std::string> factors_beside(std::string_view name, const RepairedLine& line) {
  std::vector<std::string> factors;
  if (name.empty()) return factors;
  const std::string_view text = line.text;
  for (const std::size_t place : places_of(name, line.text)) {
    std::size_t sign = place;
    while (sign > 0 && text[sign - 1] == ' ') --sign;
    std::size_t end = sign > 0 && text[sign - 1] == '*' ? sign - 1 : 0;
    while (end > 0 && text[end - 1] == ' ') --end;
    if (end > 0 && ends_value(text[end - 1])) {
      std::size_t begin = end;
      while (begin > 0 && is_letter_of_factor(text[begin - 1])) --begin;
      factors.emplace_back(begin == end ? text.substr(end - 1, 1) : text.substr(begin, end - begin));
    }
    std::size_t behind = past_spaces(text, place + name.size());
    if (behind >= text.size() || text[behind] != '*') continue;
    behind = past_spaces(text, behind + 1);
    std::size_t last = behind;
    while (last < text.size() && is_letter_of_factor(text[last])) ++last;
    if (behind < text.size()) factors.emplace_back(text.substr(behind, std::max<std::size_t>(last - behind, 1)));
  }
  return factors;
}

}  // namespace cudalabs
