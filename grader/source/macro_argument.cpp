#include "source/macro_argument.h"

#include <algorithm>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A longer line, and longer macros, are not read: a source may have very many of each.
constexpr std::size_t kLongestUsingLine = 500, kMostLinesOfMacro = 50;

/// A macro with parameters: its value goes on to the end of the last line that it has.
struct Definition {
  std::string_view name, value;
  std::vector<std::string_view> parameters;
  std::uint32_t line = 0;
};

std::optional<Definition> definition_at(std::string_view code, std::string_view line, std::uint32_t number) {
  const std::size_t sign = past_spaces(line, 0);
  if (sign >= line.size() || line[sign] != '#') return std::nullopt;
  const std::size_t word = past_spaces(line, sign + 1), word_end = end_of_word(line, word);
  if (line.substr(word, word_end - word) != "define") return std::nullopt;
  const std::size_t at = past_spaces(line, word_end), open = end_of_word(line, at);
  const std::size_t close = open < line.size() && line[open] == '(' ? past_bracket(line, open) : kNowhere;
  if (close == kNowhere) return std::nullopt;
  const auto begin = static_cast<std::size_t>(line.data() - code.data()) + close;
  std::size_t end = code.find('\n', begin);
  for (std::size_t i = 0; end != kNowhere && end > begin && code[end - 1] == '\\'; ++i) {
    if (i == kMostLinesOfMacro) return std::nullopt;
    end = code.find('\n', end + 1);
  }
  return Definition{line.substr(at, open - at), code.substr(begin, end == kNowhere ? end : end - begin),
                    items_of(line.substr(open + 1, close - open - 2)), number};
}

/// How often the macro's value has the parameter's value, and not only its text (`#call`).
std::size_t evaluations_of(std::string_view parameter, std::string_view value) {
  std::size_t count = 0;
  for_each_name(value, [&](std::size_t at, std::string_view name) {
    const std::size_t before = before_spaces(value, at);
    if (name == parameter && (before == kNowhere || value[before] != '#')) ++count;
  });
  return count;
}

}  // namespace

std::optional<RepeatedArgument> repeated_argument_in(std::string_view code, std::uint32_t used) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (used == 0 || used > lines.size()) return std::nullopt;
  const std::string_view line = lines[used - 1];
  if (line.size() > kLongestUsingLine) return std::nullopt;
  std::optional<RepeatedArgument> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto macro = definition_at(code, lines[i], static_cast<std::uint32_t>(i) + 1);
    if (!macro || i + 1 == used) continue;
    for_each_name(line, [&](std::size_t at, std::string_view name) {
      const std::size_t open = past_spaces(line, at + name.size());
      if (name != macro->name || open >= line.size() || line[open] != '(') return;
      const std::size_t end = past_bracket(line, open);
      if (end == kNowhere) return;
      const auto arguments = items_of(line.substr(open + 1, end - open - 2));
      for (std::size_t k = 0; k < std::min(arguments.size(), macro->parameters.size()); ++k) {
        const std::string_view called = arguments[k].substr(0, end_of_word(arguments[k], 0));
        const std::size_t times = evaluations_of(macro->parameters[k], macro->value);
        if (!called.starts_with("cuda") || times < 2 || !arguments[k].ends_with(')')) continue;
        found = RepeatedArgument{std::string(name), std::string(macro->parameters[k]), std::string(called), times,
                                 macro->line};
      }
    });
  }
  return found;
}

}  // namespace cudalabs
