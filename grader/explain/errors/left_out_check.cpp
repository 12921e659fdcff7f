// The text is read as the preprocessor sees it: lines that end with a backslash go on in the next one.
#include "explain/errors/left_out_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "LAUNCH_OK" of "LAUNCH_OK(name)", the statement behind the one that begins in the line.
std::string_view call_behind(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return {};
  const auto begin = static_cast<std::size_t>(lines[line - 1].data() - code.data());
  const std::size_t end = code.find(';', begin);
  if (end == kNowhere) return {};
  const std::size_t name = past_spaces(code, end + 1), behind = end_of_word(code, name);
  const std::size_t open = past_spaces(code, behind);
  return open < code.size() && code[open] == '(' ? code.substr(name, behind - name) : std::string_view();
}

bool asks_for_error(std::string_view text) {
  return text.find("cudaGetLastError") != kNowhere || text.find("cudaPeekAtLastError") != kNowhere;
}

/// "#ifdef DEBUG", and its line.
struct Condition {
  std::string_view text;
  std::uint32_t line = 0;
};

/// "ifdef DEBUG" of "#ifdef DEBUG"; empty: the line is no directive.
std::string_view directive_in(std::string_view line) {
  const std::size_t sign = past_spaces(line, 0);
  return sign < line.size() && line[sign] == '#' ? line.substr(past_spaces(line, sign + 1)) : std::string_view();
}

/// The conditions around a line, innermost last.
class ConditionsAround {
 public:
  void pass(std::string_view line, std::uint32_t number) {
    const std::string_view directive = directive_in(line);
    if (directive.starts_with("if")) around_.push_back({without_outer_spaces(line), number});
    if (directive.starts_with("el") && !around_.empty()) around_.back().text = {};  // its opposite: not in words
    if (directive.starts_with("endif") && !around_.empty()) around_.pop_back();
  }
  /// Nothing where there is none, or none in words.
  std::optional<Condition> innermost() const {
    return around_.empty() || around_.back().text.empty() ? std::nullopt : std::optional(around_.back());
  }

 private:
  std::vector<Condition> around_;
};

/// Of the definitions of a macro: under which condition one asks for the error, where another one does not.
class Definitions {
 public:
  Definitions(std::string_view code, std::string_view name) {
    const std::vector<std::string_view> lines = text_lines(code);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view directive = directive_in(lines[i]);
      const auto number = static_cast<std::uint32_t>(i + 1);
      conditions_.pass(lines[i], number);
      if (!directive.starts_with("define")) continue;
      const std::size_t first = i;
      while (lines[i].ends_with('\\') && i + 1 < lines.size()) ++i;
      const char* const end = lines[i].data() + lines[i].size();
      note(std::string_view(lines[first].data(), static_cast<std::size_t>(end - lines[first].data())), name);
    }
  }

  std::optional<Condition> of_check() const { return others_ > 0 && checks_ == 1 ? condition_ : std::nullopt; }

 private:
  void note(std::string_view definition, std::string_view name) {
    const std::string_view directive = directive_in(definition);
    const std::size_t at = past_spaces(directive, std::string_view("define").size());
    if (directive.substr(at, end_of_word(directive, at) - at) != name) return;
    if (!asks_for_error(definition)) {
      ++others_;
      return;
    }
    ++checks_;
    if (const auto innermost = conditions_.innermost()) condition_ = innermost;
  }

  ConditionsAround conditions_;
  std::optional<Condition> condition_;
  int checks_ = 0, others_ = 0;
};

/// "check_at" of "#define CHECK() check_at(__LINE__)", the only definition of the macro; the name itself where it is no
/// macro. Empty: it calls nothing.
std::string_view function_behind(std::string_view code, std::string_view name) {
  std::string_view function = name;
  std::size_t definitions = 0;
  for (const std::string_view line : text_lines(code)) {
    const std::string_view directive = directive_in(line);
    if (!directive.starts_with("define")) continue;
    const std::size_t at = past_spaces(directive, std::string_view("define").size()), end = end_of_word(directive, at);
    if (directive.substr(at, end - at) != name || !directive.substr(end).starts_with('(')) continue;
    if (++definitions > 1) return {};
    const std::size_t close = past_bracket(directive, end);
    const std::size_t called = close == kNowhere ? kNowhere : past_spaces(directive, close);
    if (called >= directive.size()) return {};
    function = directive.substr(called, end_of_word(directive, called) - called);
  }
  return function;
}

/// The one condition around each question for the error in the function's body.
std::optional<Condition> condition_in_function(std::string_view code, std::string_view function) {
  const auto body = is_identifier(function) ? only_body(code, function) : std::nullopt;
  if (!body) return std::nullopt;
  const std::string_view text = code.substr(body->begin, body->end - body->begin);
  std::uint32_t number = line_at(code, body->begin);
  ConditionsAround conditions;
  std::optional<Condition> found;
  for (const std::string_view line : text_lines(text)) {
    conditions.pass(line, number++);
    if (!asks_for_error(line)) continue;
    const auto around = conditions.innermost();
    if (!around || (found && found->line != around->line)) return std::nullopt;
    found = around;
  }
  return found;
}

/// "#define CHECKED", in whose place nothing else in the text has the name: it was meant to be another one. Only beside
/// a condition that asks for a name that no line defines.
std::optional<Condition> unused_definition(std::string_view code, const Condition& condition) {
  std::map<std::string_view, std::size_t> uses;
  for_each_name(code, [&](std::size_t, std::string_view name) { ++uses[name]; });
  std::optional<Condition> found;
  std::uint32_t number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    const std::string_view directive = directive_in(line);
    if (!directive.starts_with("define")) continue;
    const std::size_t at = past_spaces(directive, std::string_view("define").size()), end = end_of_word(directive, at);
    const std::string_view name = directive.substr(at, end - at);
    if (has_name(condition.text, name)) return std::nullopt;
    if (uses[name] != 1 || !without_outer_spaces(directive.substr(end)).empty()) continue;
    if (found) return std::nullopt;
    found = Condition{name, number};
  }
  return found;
}

}  // namespace

void show_left_out_checks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  constexpr std::size_t kLongestShown = 60;
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUncheckedLaunch || finding.other || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const std::string_view name = call_behind(code, finding.where.line);
    if (name.empty()) continue;
    auto condition = Definitions(code, name).of_check();
    if (!condition) condition = condition_in_function(code, function_behind(code, name));
    if (!condition || condition->text.size() > kLongestShown) continue;
    finding.other = OtherPlace{fmt::format("`{}` asks for the error only under this condition", name),
                               {finding.where.file, condition->line, 0},
                               {},
                               {}};
    const auto unused = unused_definition(code, *condition);
    const std::string meant =
        unused ? fmt::format(" (line {} defines `{}`, which nothing uses)", unused->line, unused->text) : "";
    finding.help = fmt::format(
        "`{}` does nothing in this build, as `{}` does not hold{}: let it call `cudaGetLastError()` in every build",
        name, condition->text, meant);
  }
}

}  // namespace cudalabs
