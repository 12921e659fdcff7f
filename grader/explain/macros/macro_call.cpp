// The value of a macro is written out with its arguments, as the preprocessor does.
#include "explain/macros/macro_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "source/function_text.h"
#include "source/operator_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Longer values, and uses that become longer, are not looked at.
constexpr std::size_t kLongestUse = 100;

struct CalledMacro {
  std::string_view name, value;
  std::vector<std::string_view> parameters;
  Setting definition;
};

/// "define AT(r, c) r * n + c" behind the sign of a directive; nothing: it is another one.
std::optional<CalledMacro> macro_in(std::string_view line, std::size_t number) {
  constexpr std::string_view kDefine = "define";
  const std::size_t sign = past_spaces(line, 0);
  if (sign >= line.size() || line[sign] != '#') return std::nullopt;
  const std::size_t word = past_spaces(line, sign + 1);
  if (!line.substr(std::min(word, line.size())).starts_with(kDefine)) return std::nullopt;
  const std::size_t at = past_spaces(line, word + kDefine.size()), end = end_of_word(line, at);
  CalledMacro macro{line.substr(at, end - at), {}, {}, {}};
  const std::size_t close = end < line.size() && line[end] == '(' ? past_bracket(line, end) : kNowhere;
  if (close != kNowhere) {
    macro.parameters = items_of(line.substr(end + 1, close - end - 2));
    macro.value = without_outer_spaces(line.substr(close));
  }
  macro.definition = {
      {std::string(macro.name)}, static_cast<std::uint32_t>(number) + 1, static_cast<std::uint32_t>(at) + 1};
  return macro;
}

/// The value with `text_of(parameter number)` in the place of each parameter.
template <typename TextOf>
std::string written_out(const CalledMacro& macro, const TextOf& text_of) {
  std::string text;
  std::size_t done = 0;
  for_each_name(macro.value, [&](std::size_t at, std::string_view name) {
    const auto parameter = std::ranges::find(macro.parameters, name);
    if (parameter == macro.parameters.end()) return;
    text += macro.value.substr(done, at - done);
    text += text_of(static_cast<std::size_t>(parameter - macro.parameters.begin()));
    done = at + name.size();
  });
  return text + std::string(macro.value.substr(done));
}

/// The sign before or behind a place of the value; 0: none.
char sign_before(std::string_view text, std::size_t at) {
  const std::size_t last = before_spaces(text, at);
  return last == kNowhere ? '\0' : text[last];
}
char sign_behind(std::string_view text, std::size_t at) {
  const std::size_t next = past_spaces(text, at);
  return next < text.size() ? text[next] : '\0';
}

/// The parameter whose argument the value takes apart; empty: none.
std::string_view split_parameter(const CalledMacro& macro, const std::vector<std::string_view>& arguments) {
  std::string_view found;
  for_each_name(macro.value, [&](std::size_t at, std::string_view name) {
    const auto parameter = std::ranges::find(macro.parameters, name);
    if (!found.empty() || parameter == macro.parameters.end()) return;
    const Operators own = operators_of(arguments[static_cast<std::size_t>(parameter - macro.parameters.begin())]);
    const bool split = own.arithmetic && (splits_before(own, sign_before(macro.value, at)) ||
                                          splits_after(own, sign_behind(macro.value, at + name.size())));
    if (split) found = name;
  });
  return found;
}

/// The place has a bracket of its own around it.
bool has_own_brackets(std::string_view text, std::size_t begin, std::size_t end) {
  return sign_before(text, begin) == '(' && sign_behind(text, end) == ')';
}

/// Each parameter and the whole value in parentheses.
std::string repaired(const CalledMacro& macro) {
  std::string value;
  std::size_t done = 0;
  for_each_name(macro.value, [&](std::size_t at, std::string_view name) {
    const std::size_t end = at + name.size();
    if (std::ranges::find(macro.parameters, name) == macro.parameters.end()) return;
    const bool has = has_own_brackets(macro.value, at, end);
    value += macro.value.substr(done, at - done);
    value += has ? std::string(name) : fmt::format("({})", name);
    done = end;
  });
  value += macro.value.substr(done);
  const bool whole = value.starts_with('(') && past_bracket(value, 0) == value.size();
  return fmt::format("#define {}({}) {}", macro.name, fmt::join(macro.parameters, ", "),
                     whole ? value : '(' + value + ')');
}

/// "... + 128 / 256" of a long sum whose last term alone is divided.
std::string reading_of(std::string_view value, const SplittingSigns& beside) {
  constexpr std::size_t kLongestReading = 40;
  std::string whole = fmt::format("{}{}{}", beside.before, value, beside.behind);
  if (whole.size() <= kLongestReading || !beside.before.empty() || beside.behind.empty()) return whole;
  std::size_t last = 0;
  int depth = 0;
  for (std::size_t at = 1; at < value.size(); ++at) {
    depth += value[at] == '(' || value[at] == '[' ? 1 : value[at] == ')' || value[at] == ']' ? -1 : 0;
    const bool is_sum = (value[at] == '+' || (value[at] == '-' && value.substr(at, 2) != "->")) && depth == 0;
    if (is_sum && (is_word_letter(sign_before(value, at)) || sign_before(value, at) == ')')) last = at;
  }
  return last == 0 ? whole : fmt::format("... {}{}", value.substr(last), beside.behind);
}

/// Of the use whose name stands at `at`.
std::optional<MisreadCall> misread_at(std::string_view line, std::size_t at, const CalledMacro& macro) {
  const std::size_t open = past_spaces(line, at + macro.name.size());
  const std::size_t end = open < line.size() && line[open] == '(' ? past_bracket(line, open) : kNowhere;
  if (end == kNowhere || end - at > kLongestUse) return std::nullopt;
  const std::vector<std::string_view> arguments = items_of(line.substr(open + 1, end - open - 2));
  if (arguments.size() != macro.parameters.size()) return std::nullopt;
  const std::string value = written_out(macro, [&](std::size_t parameter) { return arguments[parameter]; });
  if (value.size() > kLongestUse) return std::nullopt;
  const std::string_view parameter = split_parameter(macro, arguments);
  const Operators own = operators_of(value);
  const SplittingSigns beside = own.arithmetic ? splitting_signs(line, at, end, own) : SplittingSigns{};
  if (parameter.empty() && !beside.any()) return std::nullopt;
  return MisreadCall{
      fmt::format("{}{}{}", beside.before, line.substr(at, end - at), beside.behind),
      parameter.empty() ? reading_of(value, beside) : fmt::format("{}{}{}", beside.before, value, beside.behind),
      std::string(parameter),
      repaired(macro),
      macro.definition,
      0};
}

/// Those with parameters that are defined once, each in a line of its own.
std::vector<CalledMacro> called_macros_of(const std::vector<std::string_view>& lines) {
  std::vector<CalledMacro> macros;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (auto macro = macro_in(lines[i], i)) macros.push_back(*std::move(macro));
  std::ranges::stable_sort(macros, {}, &CalledMacro::name);
  std::vector<CalledMacro> once;
  for (std::size_t i = 0; i < macros.size(); ++i) {
    const bool again = (i > 0 && macros[i - 1].name == macros[i].name) ||
                       (i + 1 < macros.size() && macros[i + 1].name == macros[i].name);
    const std::string_view value = macros[i].value;
    const bool read = !macros[i].parameters.empty() && !value.empty() && value.size() <= kLongestUse &&
                      !value.ends_with('\\') && value.find('#') == kNowhere;
    if (!again && read) once.push_back(std::move(macros[i]));
  }
  return once;
}

/// What a wrong index leads to, in a line that another one may be to blame for.
bool may_come_of_another_line(const MergedFinding& finding) {
  const bool wrong = finding.is_of_output() && !finding.proven;
  return (wrong || finding.id.ends_with("-out-of-bounds")) && !finding.right_at_first;
}

/// The first use in the function around the finding's line.
std::optional<MisreadCall> misread_call_around(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const auto function = function_around_line(code, line);
  if (!function) return std::nullopt;
  return misread_call_in(source, line_at(code, function->begin), line_at(code, function->end - 1));
}

void place_at_definition(MergedFinding& finding, const MisreadCall& call) {
  if (!finding.is_of_output()) finding.note.insert(0, fmt::format("the access is in line {}\n", finding.where.line));
  finding.other = OtherPlace{
      fmt::format("`{}` is `{}` here", call.written, call.read_as), {finding.where.file, call.line, 0}, {}, {}};
  finding.where = {finding.where.file, call.definition.line, call.definition.column};
}

}  // namespace

std::optional<MisreadCall> misread_call_in(std::string_view source, std::uint32_t first, std::uint32_t last) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (first == 0 || first > lines.size()) return std::nullopt;
  const std::vector<CalledMacro> macros = called_macros_of(lines);
  std::optional<MisreadCall> found;
  for (std::uint32_t line = first; !found && !macros.empty() && line <= std::min<std::size_t>(last, lines.size());
       ++line) {
    const std::string_view text = lines[line - 1];
    constexpr std::size_t kLongestLineRead = 500;
    if (text.size() > kLongestLineRead || text.substr(past_spaces(text, 0)).starts_with('#')) continue;
    for_each_name(text, [&](std::size_t at, std::string_view name) {
      const auto macro = std::ranges::lower_bound(macros, name, {}, &CalledMacro::name);
      if (!found && macro != macros.end() && macro->name == name) found = misread_at(text, at, *macro);
    });
    if (found) found->line = line;
  }
  return found;
}

std::optional<MisreadCall> misread_call(std::string_view source, std::uint32_t line) {
  return misread_call_in(source, line, line);
}

bool show_misread_call(MergedFinding& finding, std::string_view source) {
  auto call = misread_call(source, finding.where.line);
  const bool beside = finding.other && finding.other->place.known() && finding.other->place.file == finding.where.file;
  bool shown = call.has_value();
  if (!call && beside) {
    call = misread_call(source, finding.other->place.line);
    shown = call && !may_come_of_another_line(finding);
  }
  if (!call && may_come_of_another_line(finding)) call = misread_call_around(source, finding.where.line);
  if (!call) return false;
  if (shown) {
    const std::string& name = call->definition.names.front();
    const std::string label = call->parameter.empty()
                                  ? fmt::format("the value of `{}` has no parentheses around it", name)
                                  : fmt::format("`{}` has no parentheses in the value of `{}`", call->parameter, name);
    finding.other = OtherPlace{label, {finding.where.file, call->definition.line, call->definition.column}, {}, {}};
  } else {
    place_at_definition(finding, *call);
  }
  finding.help = fmt::format(
      "a macro is text: the compiler reads `{}` where line {} has `{}`; put each parameter and the whole value in "
      "parentheses, `{}`",
      call->read_as, call->line, call->written, call->right);
  return true;
}

}  // namespace cudalabs
