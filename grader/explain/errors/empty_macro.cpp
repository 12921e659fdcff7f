// That the program printed nothing is known from the run: so of several definitions the empty one was in force.
#include "explain/errors/empty_macro.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/errors/unreported_error.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestMacroText = 40;

/// "err != cudaSuccess", "cudaSuccess != f()" and "err", and nothing more: `error` is "err" or "f()".
bool asks_for_any_error(std::string_view condition, std::string_view error) {
  if (condition == error) return true;
  const std::size_t sign = condition.find("!=");
  if (sign == kNowhere) return false;
  const std::string_view left = without_outer_spaces(condition.substr(0, sign)),
                         right = without_outer_spaces(condition.substr(sign + 2));
  return (left == error && right == "cudaSuccess") || (left == "cudaSuccess" && right == error);
}

/// The first `if` behind the call that asks for its error; nothing where another statement stands between that has the
/// error's variable, or may leave the function.
std::optional<ConditionText> question_behind(std::string_view code, std::size_t call) {
  const std::size_t open = past_spaces(code, end_of_word(code, call));
  const std::size_t close = open < code.size() && code[open] == '(' ? past_bracket(code, open) : kNowhere;
  if (close == kNowhere) return std::nullopt;
  const std::string_view variable = variable_of(code, call);
  for (const ConditionText& each : conditions_of(code)) {
    if (each.body <= call) continue;
    const auto text = static_cast<std::size_t>(each.condition.data() - code.data());
    if (variable.empty()) {
      const bool here = text <= call && close <= text + each.condition.size();
      return here && asks_for_any_error(each.condition, code.substr(call, close - call)) ? std::optional(each)
                                                                                         : std::nullopt;
    }
    const std::string_view between = code.substr(close, each.begin - std::min(each.begin, close));
    const bool plain = between.find_first_of("{}") == kNowhere && !has_name(between, variable) &&
                       !has_name(between, "return") && !has_name(between, "goto");
    return plain && asks_for_any_error(each.condition, variable) ? std::optional(each) : std::nullopt;
  }
  return std::nullopt;
}

/// "SHOW" where it is the only thing that is called between the places, as a statement of its own: where it stands.
std::size_t only_statement(std::string_view code, std::size_t begin, std::size_t end) {
  std::size_t found = kNowhere, done = begin;
  bool other = code.substr(begin, end - begin).find_first_of("<=") != kNowhere;
  for_each_name(code.substr(begin, end - begin), [&](std::size_t in_body, std::string_view name) {
    const std::size_t at = begin + in_body;
    if (at < done || name == "return") return;
    const std::size_t open = past_spaces(code, at + name.size());
    const std::size_t close = open < end && code[open] == '(' ? past_bracket(code, open) : kNowhere;
    const bool statement = close != kNowhere && code.substr(past_spaces(code, close)).starts_with(';');
    other = other || !statement || found != kNowhere;
    found = at;
    if (close != kNowhere) done = close;
  });
  return other ? kNowhere : found;
}

/// It computes nothing, and calls nothing: "((void)0)", "do {} while (0)".
bool does_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords{"void", "do", "while", "static_cast", "false"};
  bool nothing = text.find('#') == kNowhere;
  for_each_name(text, [&](std::size_t, std::string_view name) {
    nothing = nothing && std::ranges::find(kWords, name) != kWords.end();
  });
  return nothing;
}

/// A definition of a macro with parameters.
struct MacroText {
  std::string_view text;
  std::uint32_t line = 0;
};

std::vector<MacroText> definitions_of(std::string_view code, std::string_view name) {
  std::vector<MacroText> found;
  for (std::size_t at = code.find("#define"); at != kNowhere; at = code.find("#define", at + 1)) {
    const std::size_t begin = past_spaces(code, at + std::string_view("#define").size());
    const std::size_t open = end_of_word(code, begin);
    if (code.substr(begin, open - begin) != name || open >= code.size() || code[open] != '(') continue;
    std::size_t end = code.find('\n', open);
    while (end != kNowhere && code[end - 1] == '\\') end = code.find('\n', end + 1);
    const std::string_view rest = code.substr(open, end == kNowhere ? end : end - open);
    const std::size_t close = rest.find(')');
    if (close != kNowhere) found.push_back({without_outer_spaces(rest.substr(close + 1)), line_at(code, at)});
  }
  return found;
}

void show_empty_macro(MergedFinding& finding, const EmptyMacro& macro) {
  show_error_beside(finding);
  finding.message = fmt::format("`{}` is to report the launch's error, and does nothing in this build", macro.name);
  finding.note.insert(0, macro.text.empty()
                             ? fmt::format("line {} defines `{}` as nothing\n", macro.defined, macro.name)
                             : fmt::format("in line {}, `{}` is `{}`\n", macro.defined, macro.name, macro.text));
  finding.where = {finding.where.file, macro.line, macro.column};
  finding.help =
      fmt::format("print errors in every build: call `fprintf(stderr, ...)` here in place of `{}`", macro.name);
  finding.count = 1;
  finding.proven = true;
}

}  // namespace

std::optional<EmptyMacro> empty_macro_for(std::string_view code, std::size_t call) {
  const auto question = question_behind(code, call);
  const std::size_t use = question ? only_statement(code, question->body, question->end_of_body) : kNowhere;
  if (use == kNowhere) return std::nullopt;
  const std::string_view name = code.substr(use, end_of_word(code, use) - use);
  const std::vector<MacroText> definitions = definitions_of(code, name);
  const auto empty = [](const MacroText& each) { return does_nothing(each.text); };
  if (std::ranges::count_if(definitions, empty) != 1 || only_body(code, name)) return std::nullopt;
  const MacroText& definition = *std::ranges::find_if(definitions, empty);
  if (definition.text.size() > kLongestMacroText) return std::nullopt;
  const Setting place = setting_at_place(code, use, name);
  return EmptyMacro{std::string(name), std::string(definition.text), place.line, place.column, definition.line};
}

void show_empty_macros(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run) {
  const std::string code = findings.empty() ? std::string() : without_comments(source);
  for (MergedFinding& finding : findings) {
    const auto error = unreported_error(finding, code, file, submission_run);
    const auto macro = error ? empty_macro_for(code, error->call) : std::nullopt;
    if (macro) show_empty_macro(finding, *macro);
  }
}

}  // namespace cudalabs
