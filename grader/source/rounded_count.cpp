#include "source/rounded_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include "source/function_text.h"
#include "source/launch_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNoPlace = std::string_view::npos, kMostLinesOfLaunch = 8;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = past_spaces(text, 0), end = before_spaces(text, text.size());
  return end == kNoPlace || begin > end ? std::string_view() : text.substr(begin, end + 1 - begin);
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// "(count + block - 1) / block", "(count + 31) / 32"
struct RoundedUp {
  std::string_view count, block;
};

/// Of "count + block - 1" the count.
std::string_view count_in(std::string_view sum, std::string_view block) {
  const std::size_t plus = sum.find('+');
  if (plus == kNoPlace) return {};
  std::string_view added = trimmed(sum.substr(plus + 1));
  const auto number = number_in(added), of_block = number_in(block);
  if (number && of_block && *number + 1 == *of_block) return trimmed(sum.substr(0, plus));
  const std::size_t minus = added.rfind('-');
  if (minus == kNoPlace || trimmed(added.substr(minus + 1)) != "1") return {};
  return trimmed(added.substr(0, minus)) == block ? trimmed(sum.substr(0, plus)) : std::string_view();
}

std::optional<RoundedUp> rounded_up_in(std::string_view line) {
  for (std::size_t at = line.find('('); at != kNoPlace; at = line.find('(', at + 1)) {
    const std::size_t end = past_bracket(line, at);
    if (end == kNoPlace) continue;
    const std::size_t slash = past_spaces(line, end);
    if (!line.substr(slash).starts_with('/')) continue;
    const std::size_t begin = past_spaces(line, slash + 1);
    const std::string_view block = line.substr(begin, end_of_word(line, begin) - begin);
    const std::string_view count = count_in(line.substr(at + 1, end - at - 2), block);
    if (!block.empty() && !count.empty()) return RoundedUp{count, block};
  }
  return std::nullopt;
}

/// From `line`, from 1, to the end of its statement.
std::string statement_at(const std::vector<std::string_view>& lines, std::uint32_t line) {
  std::string statement;
  for (std::size_t i = line - 1; i < std::min(lines.size(), std::size_t{line} - 1 + kMostLinesOfLaunch); ++i) {
    (statement += lines[i]) += '\n';
    if (lines[i].find(';') != kNoPlace) break;
  }
  return statement;
}

/// "4", or a name that one line of the source gives a number: "constexpr int WIDE = 4;", "#define WIDE 4".
std::optional<std::int64_t> value_of(std::string_view text, const std::vector<std::string_view>& lines) {
  if (!is_identifier(text)) return number_in(text);
  std::optional<std::int64_t> found;
  for (const std::string_view line : lines) {
    const std::size_t at = line.find(text);
    if (at == kNoPlace || (at > 0 && is_word_letter(line[at - 1])) || end_of_word(line, at) != at + text.size())
      continue;
    std::size_t next = past_spaces(line, at + text.size());
    const bool macro = trimmed(line).starts_with("#define") && word_before(line, at) == "define";
    if (!macro && (!line.substr(next).starts_with('=') || line.substr(next).starts_with("=="))) continue;
    if (!macro) next = past_spaces(line, next + 1);
    const auto number = number_in(line.substr(next, end_of_word(line, next) - next));
    if (!number || (found && found != number)) return std::nullopt;
    found = number;
  }
  return found;
}

/// The only division of an expression, of a name or a number without anything added before it.
std::optional<Division> division_in(std::string_view expression, const std::vector<std::string_view>& lines) {
  if (std::ranges::count(expression, '/') != 1 || expression.find('+') != kNoPlace) return std::nullopt;
  const std::size_t slash = expression.find('/'), last = before_spaces(expression, slash);
  const std::size_t begin = past_spaces(expression, slash + 1), end = end_of_word(expression, begin);
  if (last == kNoPlace || !is_word_letter(expression[last])) return std::nullopt;
  const auto divisor = value_of(expression.substr(begin, end - begin), lines);
  if (!divisor || *divisor < 2) return std::nullopt;
  return Division{
      std::string(word_before(expression, slash)) + " / " + std::string(expression.substr(begin, end - begin)),
      *divisor,
      {}};
}

/// What stands behind "<", ">=" and the like up to the end of the condition.
std::vector<std::string_view> bounds_in(std::string_view line) {
  std::vector<std::string_view> bounds;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool less = line[at] == '<', more = line[at] == '>';
    if (!less && !more) continue;
    const bool doubled = (at > 0 && line[at - 1] == line[at]) || (at + 1 < line.size() && line[at + 1] == line[at]) ||
                         (more && at > 0 && line[at - 1] == '-');
    if (doubled) continue;
    const std::size_t begin = past_spaces(line, at + (line.substr(at + 1).starts_with('=') ? 2 : 1));
    int depth = 0;
    std::size_t end = begin;
    for (; end < line.size(); ++end) {
      const char letter = line[end];
      if (letter == ';' || letter == '&' || letter == '|' || letter == '?' || (letter == ')' && depth == 0)) break;
      depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    }
    bounds.push_back(trimmed(line.substr(begin, end - begin)));
  }
  return bounds;
}

struct Function {
  std::size_t first = 0;  // the line of its head, from 0
  std::string_view name;  // empty: not known
  std::string_view parameters;
};

/// That has the line `line`, from 1, in it.
Function function_at(std::string_view code, const std::vector<std::string_view>& lines, std::uint32_t line) {
  Function function;
  for (std::size_t i = line; i-- > 0;) {
    if (i + 1 < line && lines[i].starts_with('}')) break;
    const std::size_t mark = lines[i].find("__global__");
    if (mark == kNoPlace) continue;
    const auto begin = static_cast<std::size_t>(lines[i].data() - code.data()) + mark;
    const std::size_t open = code.find('(', begin);
    const std::size_t end = open == kNoPlace ? kNoPlace : past_bracket(code, open);
    if (end == kNoPlace) break;
    return {i, word_before(code, open), code.substr(open + 1, end - open - 2)};
  }
  return function;
}

/// The argument for that parameter in the only launch of the kernel, and the line of that launch.
std::optional<std::pair<std::string_view, std::uint32_t>> argument_of(std::string_view code, const Function& kernel,
                                                                      std::string_view parameter) {
  const std::vector<std::string_view> parameters = items_of(kernel.parameters);
  const auto wanted = std::ranges::find(parameters, parameter, parameter_name);
  if (wanted == parameters.end()) return std::nullopt;
  const auto launch = only_launch(code, kernel.name);
  if (!launch || launch->arguments.size() != parameters.size()) return std::nullopt;
  return std::pair(launch->arguments[static_cast<std::size_t>(wanted - parameters.begin())], launch->line);
}

/// The value that a setting's line gives to its name.
std::string_view value_in(std::string_view line, const Setting& setting) {
  const std::string_view rest =
      line.substr(std::min<std::size_t>(line.size(), setting.column - 1 + setting.names.front().size()));
  const std::size_t begin = rest.find('=');
  if (begin == kNoPlace) return {};
  return trimmed(rest.substr(begin + 1, rest.find_first_of(";,", begin) - begin - 1));
}

}  // namespace

bool rounds_up(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  return line > 0 && line <= lines.size() && rounded_up_in(lines[line - 1]);
}

bool rounds_up(std::string_view source) {
  const std::string code = without_comments(source);
  return std::ranges::any_of(text_lines(code), [](std::string_view line) { return rounded_up_in(line).has_value(); });
}

std::optional<Setting> count_of_blocks(std::string_view source, std::uint32_t line, std::uint32_t launch) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size() || launch == 0 || launch > lines.size()) return std::nullopt;
  const auto rounded = rounded_up_in(lines[line - 1]);
  if (!rounded || !is_identifier(rounded->count)) return std::nullopt;
  const std::string statement = statement_at(lines, launch);
  const std::size_t begin = statement.find("<<<"), end = statement.find(">>>");
  if (begin == kNoPlace || end == kNoPlace || end < begin) return std::nullopt;
  const auto configuration = items_of(std::string_view(statement).substr(begin + 3, end - begin - 3));
  if (configuration.size() < 2 || configuration[1] != rounded->block) return std::nullopt;
  return last_setting_of(source, line, rounded->count);
}

std::optional<Division> bound_that_drops(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const Function kernel = function_at(code, lines, line);
  if (kernel.name.empty()) return std::nullopt;
  const auto placed = [&](std::string_view expression, Setting where) {
    auto division = division_in(expression, lines);
    if (division) division->where = std::move(where);
    return division;
  };
  for (std::size_t i = line; i-- > kernel.first;) {
    for (const std::string_view bound : bounds_in(lines[i])) {
      const auto column = static_cast<std::uint32_t>(bound.data() - lines[i].data()) + 1;
      if (auto here = placed(bound, {{std::string(bound)}, static_cast<std::uint32_t>(i) + 1, column})) return here;
      if (!is_identifier(bound)) continue;
      const auto set = [&](std::uint32_t before, std::string_view name) -> std::optional<Division> {
        const auto setting = last_setting_of(source, before, name);
        return setting ? placed(value_in(lines[setting->line - 1], *setting), *setting) : std::nullopt;
      };
      if (auto in_kernel = set(static_cast<std::uint32_t>(i) + 1, bound)) return in_kernel;
      const auto argument = argument_of(code, kernel, bound);
      if (!argument) continue;
      if (auto in_launch = placed(argument->first, {{std::string(argument->first)}, argument->second, 1}))
        return in_launch;
      if (!is_identifier(argument->first)) continue;
      if (auto in_host = set(argument->second, argument->first)) return in_host;
    }
  }
  return std::nullopt;
}

std::optional<Division> division_behind(std::string_view source, std::uint32_t line,
                                        const std::vector<std::string_view>& expressions) {
  constexpr std::size_t kMostNames = 24;
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  struct Open {
    std::string_view names, expression;  // those that matter, and what may be a division
    std::uint32_t line;
  };
  std::vector<Open> open;
  for (const std::string_view expression : expressions) open.push_back({expression, {}, line});
  std::set<std::string_view> known;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Open here = open[i];
    for_each_name(here.names, [&](std::size_t, std::string_view name) {
      if (known.size() >= kMostNames || !known.insert(name).second) return;
      const auto setting = last_setting_of(source, here.line, name);
      if (!setting) return;
      const std::string_view text = lines[setting->line - 1], rest = text.substr(setting->column - 1 + name.size());
      open.push_back({rest.substr(0, rest.find(';')), value_in(text, *setting), setting->line});
    });
    auto division = division_in(here.expression, lines);
    if (!division) continue;
    const auto column = static_cast<std::uint32_t>(here.expression.data() - lines[here.line - 1].data()) + 1;
    division->where = {{division->text}, here.line, column};
    return division;
  }
  return std::nullopt;
}

bool loops_before(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return false;
  bool loops = false;
  for (std::size_t i = function_at(code, lines, line).first; i < line; ++i) {
    for_each_name(lines[i], [&](std::size_t, std::string_view name) {
      loops = loops || name == "for" || name == "while" || name == "do";
    });
  }
  return loops;
}

}  // namespace cudalabs
