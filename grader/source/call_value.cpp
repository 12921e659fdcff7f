#include "source/call_value.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "blocks" of "blocks(n)"; empty: there is more in it, or less.
std::string_view called_name(std::string_view expression) {
  const std::string_view text = without_outer_spaces(expression);
  const std::size_t end = end_of_word(text, 0);
  const std::string_view name = text.substr(0, end);
  const bool calls = is_identifier(name) && end < text.size() && text[end] == '(';
  return calls && past_bracket(text, end) == text.size() ? name : std::string_view();
}

std::optional<CallValue> returned_by(std::string_view code, std::string_view name) {
  const std::vector<FunctionBody> functions = function_bodies(code);
  const auto has_name = [&](const FunctionBody& function) { return function.name == name; };
  const auto function = std::ranges::find_if(functions, has_name);
  if (std::ranges::count_if(functions, has_name) != 1) return std::nullopt;
  const std::string_view body = code.substr(function->begin, function->end - function->begin);
  std::vector<std::size_t> returns;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word == "return") returns.push_back(function->begin + at);
  });
  if (returns.size() != 1) return std::nullopt;
  const std::size_t begin = returns.front() + std::string_view("return").size();
  const std::size_t end = std::min(code.find(';', begin), function->end);
  return CallValue{name, without_outer_spaces(code.substr(begin, end - begin)),
                   setting_at_place(code, returns.front(), name, Setting::How::returned)};
}

/// "#define GRID(n) (n + 31) / 32", on one line.
std::optional<CallValue> macro_value(std::string_view code, std::string_view name) {
  std::optional<CallValue> found;
  for (const std::string_view line : text_lines(code)) {
    const std::size_t sign = past_spaces(line, 0);
    if (sign >= line.size() || line[sign] != '#') continue;
    const std::size_t word = past_spaces(line, sign + 1), word_end = end_of_word(line, word);
    const std::size_t at = past_spaces(line, word_end), end = end_of_word(line, at);
    const bool is_name = line.substr(word, word_end - word) == "define" && line.substr(at, end - at) == name;
    if (!is_name) continue;
    const std::size_t close = end < line.size() && line[end] == '(' ? past_bracket(line, end) : kNowhere;
    if (found || close == kNowhere || line.ends_with('\\')) return std::nullopt;
    const auto place = static_cast<std::size_t>(line.data() - code.data()) + at;
    found = CallValue{name, without_outer_spaces(line.substr(close)), setting_at_place(code, place, name)};
  }
  return found;
}

}  // namespace

std::optional<CallValue> value_of_call(std::string_view code, std::string_view expression) {
  const std::string_view name = called_name(expression);
  if (name.empty()) return std::nullopt;
  const auto returned = returned_by(code, name);
  const auto macro = macro_value(code, name);
  if (returned && macro) return std::nullopt;
  return returned ? returned : macro;
}

}  // namespace cudalabs
