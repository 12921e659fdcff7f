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

/// "p = ...", "p += ...": in the place of this name no other value can stand.
bool is_assigned(std::string_view text, std::size_t end) {
  const std::size_t at = past_spaces(text, end);
  const std::string_view behind = text.substr(std::min(at, text.size()), 3);
  if (behind.starts_with("==") || behind.starts_with("<=") || behind.starts_with(">=") || behind.starts_with("!=")) {
    return false;
  }
  constexpr std::string_view kSigns = "+-*/%&|^";
  return behind.starts_with("=") || behind == "<<=" || behind == ">>=" ||
         (behind.size() > 1 && behind[1] == '=' && kSigns.find(behind[0]) != std::string_view::npos);
}

/// Of the name, number, call, element or member that ends before `end`; `end` itself: there is none.
std::size_t begin_of_value(std::string_view text, std::size_t end) {
  std::size_t at = end;
  while (at > 0) {
    const char last = text[at - 1];
    if (is_letter_of_factor(last)) {
      while (at > 0 && is_letter_of_factor(text[at - 1])) --at;
      const bool goes_on = at > 1 && text.substr(at - 2, 2) == "->";
      if (!goes_on) return at;
      at -= 2;
    } else if (last == ')' || last == ']') {
      int depth = 0;
      do {
        --at;
        depth += text[at] == ')' || text[at] == ']' ? 1 : text[at] == '(' || text[at] == '[' ? -1 : 0;
      } while (at > 0 && depth > 0);
      if (depth > 0) return end;
      if (at == 0 || !(is_letter_of_factor(text[at - 1]) || ends_value(text[at - 1]))) return at;
    } else {
      return at;
    }
  }
  return at;
}

/// Past the value that begins at `at`, likewise; `at` itself: there is none.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    if (is_letter_of_factor(text[end])) {
      ++end;
    } else if (text.substr(end, 2) == "->" && end > at) {
      end += 2;
    } else if (text[end] == '(' || text[end] == '[') {
      int depth = 0;
      do {
        depth += text[end] == '(' || text[end] == '[' ? 1 : text[end] == ')' || text[end] == ']' ? -1 : 0;
        ++end;
      } while (end < text.size() && depth > 0);
      if (depth > 0) return at;
    } else {
      break;
    }
  }
  return end;
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
  std::vector<std::size_t> places = name.empty() ? std::vector<std::size_t>() : places_of(name, line.text);
  std::erase_if(places, [&](std::size_t at) { return is_assigned(line.text, at + name.size()); });
  const std::size_t count = places.size();
  return count == 0 ? std::string() : fmt::format("{}`{}`", count == 1 ? "" : "one of the ", name);
}

std::string_view product_at(const RepairedLine& line) {
  const std::string_view text = line.text;
  if (!line.from_column().starts_with('*') || line.from_column().starts_with("*=")) return {};
  const std::size_t sign = line.column - 1, last = before_spaces(text, sign), next = past_spaces(text, sign + 1);
  if (last == kNowhere || !ends_value(text[last])) return {};
  const std::size_t begin = begin_of_value(text, last + 1), end = end_of_value(text, next);
  if (begin > last || end <= next) return {};
  const std::size_t before = before_spaces(text, begin), behind = past_spaces(text, end);
  // "(size_t)row * n", "a / b * c"
  constexpr std::string_view kTaking = "/%*!~)";
  const bool taken = before != kNowhere && kTaking.find(text[before]) != std::string_view::npos;
  const bool split = behind < text.size() && (text[behind] == '/' || text[behind] == '%');
  return taken || split ? std::string_view() : text.substr(begin, end - begin);
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
