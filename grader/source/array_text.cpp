#include "source/array_text.h"

#include <algorithm>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kLongestSubscript = 200, kMostElements = 64;

/// Outside of brackets.
std::vector<std::string_view> split_at(std::string_view text, char sign) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char letter = at < text.size() ? text[at] : sign;
    depth += letter == '(' || letter == '[' ? 1 : letter == ')' || letter == ']' ? -1 : 0;
    if (letter != sign || (depth != 0 && at < text.size())) continue;
    parts.push_back(without_outer_spaces(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  return parts;
}

/// Past the brackets and members behind the name, whose subscripts are added.
std::size_t past_subscripts(std::string_view code, std::size_t at, std::vector<std::string_view>& subscripts) {
  for (std::size_t open = past_spaces(code, at); open < code.size() && code[open] == '[';
       open = past_spaces(code, at)) {
    const std::size_t close = past_bracket(code.substr(0, open + kLongestSubscript), open);
    if (close == kNowhere) return kNowhere;
    subscripts.push_back(without_outer_spaces(code.substr(open + 1, close - open - 2)));
    at = close;
    while (at < code.size() && code[at] == '.') at = end_of_word(code, at + 1);
  }
  return at;
}

}  // namespace

std::optional<std::vector<ElementText>> elements_of(std::string_view code, std::string_view array, std::size_t begin,
                                                    std::size_t end) {
  std::vector<ElementText> elements;
  bool clear = true;
  for_each_name(code.substr(begin, end - begin), [&](std::size_t offset, std::string_view name) {
    if (name != array || !clear) return;
    ElementText element{begin + offset, {}, {}, false};
    const std::size_t past = past_subscripts(code, element.place + name.size(), element.subscripts);
    const std::size_t before = before_spaces(code, element.place);
    const bool lent = before != kNowhere && (code[before] == '&' && (before == 0 || code[before - 1] != '&'));
    clear = past != kNowhere && !element.subscripts.empty() && !lent && elements.size() < kMostElements;
    if (!clear) return;
    element.text = code.substr(element.place, past - element.place);
    element.stored = begins_assignment(code.substr(past_spaces(code, past)));
    elements.push_back(element);
  });
  return clear ? std::optional(elements) : std::nullopt;
}

std::vector<Stride> strides_of(std::string_view subscript, std::uint32_t line, const SourceNumbers& numbers) {
  std::vector<Stride> strides;
  if (subscript.size() > kLongestSubscript) return strides;
  for (const std::string_view term : split_at(subscript, '+')) {
    std::optional<Stride> found;
    std::size_t constants = 0;
    const std::vector<std::string_view> factors = split_at(term, '*');
    for (const std::string_view factor : factors) {
      const auto value = numbers.value(factor, line, nullptr);
      if (!value) continue;
      ++constants;
      found = Stride{std::string(factor), *value};
    }
    if (constants == 1 && factors.size() > 1 && found->elements > 1) strides.push_back(*found);
  }
  return strides;
}

std::vector<std::string_view> factors_in(std::string_view subscript) {
  std::vector<std::string_view> all;
  for (const std::string_view term : split_at(subscript.substr(0, kLongestSubscript), '+')) {
    const std::vector<std::string_view> factors = split_at(term, '*');
    if (factors.size() > 1) all.insert(all.end(), factors.begin(), factors.end());
  }
  return all;
}

std::optional<Stride> taken_apart_by(std::string_view text, std::string_view name, std::uint32_t line,
                                     const SourceNumbers& numbers) {
  std::string_view divisor, modulus;
  bool clear = is_identifier(name);
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    const std::size_t sign = past_spaces(text, at + word.size());
    if (word != name || sign >= text.size() || (text[sign] != '/' && text[sign] != '%')) return;
    const std::size_t begin = past_spaces(text, sign + 1);
    const std::string_view by = text.substr(begin, end_of_word(text, begin) - begin);
    std::string_view& kept = text[sign] == '/' ? divisor : modulus;
    clear = clear && !by.empty() && (kept.empty() || kept == by);
    kept = by;
  });
  if (!clear || divisor.empty() || divisor != modulus) return std::nullopt;
  const auto value = numbers.value(divisor, line, nullptr);
  return value && *value > 1 ? std::optional(Stride{std::string(divisor), *value}) : std::nullopt;
}

}  // namespace cudalabs
