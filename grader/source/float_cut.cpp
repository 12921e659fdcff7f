#include "source/float_cut.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kLongestCast = 300, kLongestType = 24;

bool is_float_type(std::string_view word) {
  return word == "float" || word == "double";
}

bool is_integer_type(std::string_view text) {
  constexpr std::array<std::string_view, 7> kTypes{"int",       "unsigned", "unsigned int", "long",
                                                   "long long", "size_t",   "std::size_t"};
  return std::ranges::find(kTypes, text) != kTypes.end();
}

/// Numbers of the function that are no whole ones.
std::set<std::string> floats_of(std::string_view code, const FunctionBody& function) {
  std::set<std::string> names;
  for (const std::string& parameter : function.parameters) {
    bool is_float = false;
    for_each_name(parameter, [&](std::size_t, std::string_view word) { is_float = is_float || is_float_type(word); });
    if (is_float && parameter.find_first_of("*&[") == kNowhere) names.insert(parameter_name(parameter));
  }
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    const std::size_t next = past_spaces(body, at + word.size());
    const std::string_view name = body.substr(next, end_of_word(body, next) - next);
    if (is_float_type(word) && is_identifier(name)) names.emplace(name);
  });
  return names;
}

/// What a cast to an integer that begins at `at` is of; empty: none does.
std::string_view cast_value(std::string_view code, std::size_t at) {
  const std::string_view text = code.substr(at, kLongestCast);
  constexpr std::string_view kStatic = "static_cast<";
  std::size_t open = kNowhere;
  if (text.starts_with(kStatic)) {
    const std::size_t end = text.find('>');
    if (end == kNowhere || !is_integer_type(without_outer_spaces(text.substr(kStatic.size(), end - kStatic.size()))))
      return {};
    open = past_spaces(text, end + 1);
  } else if (text.starts_with('(')) {
    const std::size_t end = past_bracket(text.substr(0, kLongestType), 0);
    if (end == kNowhere || !is_integer_type(without_outer_spaces(text.substr(1, end - 2)))) return {};
    open = past_spaces(text, end);
  } else if (is_integer_type(text.substr(0, end_of_word(text, 0)))) {
    open = end_of_word(text, 0);
  }
  const bool opens = open != kNowhere && open < text.size() && text[open] == '(';
  const std::size_t close = opens ? past_bracket(text, open) : kNowhere;
  return close == kNowhere ? std::string_view() : text.substr(open + 1, close - open - 2);
}

/// A product or quotient with one of these names, which nothing rounds.
bool cuts_float(std::string_view value, const std::set<std::string>& floats) {
  if (value.find_first_of("*/") == kNowhere || value.find("0.5") != kNowhere) return false;
  bool has = false, rounded = false;
  for_each_name(value, [&](std::size_t, std::string_view name) {
    has = has || floats.contains(std::string(name));
    rounded =
        rounded || name.find("round") != kNowhere || name.find("rint") != kNowhere || name.find("ceil") != kNowhere;
  });
  return has && !rounded;
}

}  // namespace

std::optional<FloatCut> only_float_cut(std::string_view code) {
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<FloatCut> found;
  for (const FunctionBody& function : function_bodies(code)) {
    if (function.begin + 1 >= bodies.size() || !bodies[function.begin + 1].device) continue;
    const std::set<std::string> floats = floats_of(code, function);
    for (std::size_t at = function.begin; at < std::min(function.end, code.size()); ++at) {
      const bool begins_word = is_word_letter(code[at]) && !is_word_letter(code[at - 1]);
      const std::string_view value = begins_word || code[at] == '(' ? cast_value(code, at) : std::string_view();
      if (value.empty() || !cuts_float(value, floats)) continue;
      if (found) return std::nullopt;
      const std::size_t line_begin = code.rfind('\n', at);
      const std::size_t name = code.rfind(function.name, function.begin);
      found = FloatCut{code.substr(name, function.name.size()), value, line_at(code, at),
                       static_cast<std::uint32_t>(line_begin == kNowhere ? at + 1 : at - line_begin), at};
    }
  }
  return found;
}

}  // namespace cudalabs
