// That nothing was printed is known from the run; what may have kept the program from it, from the text.
#include "explain/errors/silent_report.h"

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

using Conditions = std::vector<ConditionText>;

/// What is longer is not written out, or read. A text may be made to be long to read: so many are looked at.
constexpr std::size_t kLongestCondition = 60, kLongestPart = 500, kMostConditions = 8, kMostNames = 16;
constexpr int kMostReportSteps = 4;  // from one function to the next

/// What has a name that is called, of members, too.
template <typename Visit>
void for_each_call(std::string_view code, std::size_t begin, std::size_t end, const Visit& visit) {
  for (std::size_t at = begin; at < end;) {
    if (!is_word_letter(code[at])) {
      ++at;
      continue;
    }
    const std::size_t next = end_of_word(code, at), open = past_spaces(code, next);
    if (open < end && code[open] == '(') visit(at, code.substr(at, next - at), open);
    at = next;
  }
}

/// Where a text goes to a person in that part of the code.
std::vector<std::size_t> prints_in(std::string_view code, std::size_t begin, std::size_t end) {
  constexpr std::array<std::string_view, 7> kPrinting{"printf", "fprintf", "puts", "fputs", "perror", "cerr", "cout"};
  std::vector<std::size_t> found;
  for_each_name(code.substr(begin, end - begin), [&](std::size_t at, std::string_view name) {
    if (std::ranges::find(kPrinting, name) != kPrinting.end()) found.push_back(begin + at);
  });
  return found;
}

/// Not to a file.
bool is_to_terminal(std::string_view code, std::size_t print) {
  const std::string_view name = code.substr(print, end_of_word(code, print) - print);
  const std::string_view statement = code.substr(print, code.substr(print, kLongestPart).find(';'));
  return (name != "fprintf" && name != "fputs") || has_name(statement, "stderr") || has_name(statement, "stdout");
}

/// Variables of the error.
using Errors = std::vector<std::string>;

/// "err != cudaSuccess", "cudaSuccess == err", "!err"; with `success` of what holds for success alone, else of what
/// holds for errors.
bool asks_for_error(std::string_view condition, const Errors& errors, bool success) {
  const auto is_error = [&](std::string_view name) { return std::ranges::find(errors, name) != errors.end(); };
  if (is_error(condition)) return !success;
  if (condition.starts_with('!') && is_error(without_outer_spaces(condition.substr(1)))) return success;
  const std::size_t sign = condition.find(success ? "==" : "!=");
  if (sign == kNowhere) return false;
  const std::string_view left = without_outer_spaces(condition.substr(0, sign)),
                         right = without_outer_spaces(condition.substr(sign + 2));
  return (left == "cudaSuccess" && is_error(right)) || (right == "cudaSuccess" && is_error(left));
}

/// Words that may keep a statement from being executed, other than `if`, and than a single `return`.
bool has_other_ways(std::string_view text) {
  constexpr std::array<std::string_view, 10> kWays{"for",   "while",    "do",    "switch", "goto",
                                                   "break", "continue", "throw", "exit",   "catch"};
  bool found = text.find_first_of("?#") != kNowhere || text.find("&&") != kNowhere || text.find("||") != kNowhere;
  for_each_name(text, [&](std::size_t, std::string_view name) {
    found = found || std::ranges::find(kWays, name) != kWays.end();
  });
  return found;
}

bool stands_in(const ConditionText& condition, std::size_t place) {
  return condition.begin <= place && place < condition.end;
}

/// Of a function: the only condition that can keep it from coming to `place`. `certain`: nothing can.
struct Obstacle {
  bool certain = false;
  const ConditionText* condition = nullptr;
  bool leaves = false;
};

/// With neither, the text leaves it open.
Obstacle obstacle_before(std::string_view code, const Conditions& conditions, std::size_t begin, std::size_t place,
                         const Errors& errors) {
  Obstacle found{true, nullptr, false};
  std::size_t returns = 0, explained = 0, looked_at = 0;
  for_each_name(code.substr(begin, place - begin),
                [&](std::size_t, std::string_view name) { returns += name == "return" ? 1 : 0; });
  for (const ConditionText& condition : conditions) {
    if (condition.begin < begin || condition.begin >= place) continue;
    if (++looked_at > kMostConditions) return {};
    const bool around = stands_in(condition, place);
    if (around && (place >= condition.end_of_body || place < condition.body)) return {};
    const auto jump = around ? std::nullopt : only_jump_of(code, condition);
    const bool leaves = jump && jump->word == "return" && condition.end == condition.end_of_body;
    if (!around && !leaves) continue;
    explained += leaves ? 1 : 0;
    if (asks_for_error(condition.condition, errors, leaves)) continue;
    if (found.condition != nullptr) return {};
    found = {false, &condition, leaves};
  }
  if (returns != explained) return {};
  // What stands in the condition itself may be anything.
  std::string text(code.substr(begin, place - begin));
  if (found.condition != nullptr) {
    const auto at = static_cast<std::size_t>(found.condition->condition.data() - code.data()) - begin;
    text.erase(at, found.condition->condition.size());
  }
  return has_other_ways(text) ? Obstacle{} : found;
}

/// Of what the condition asks about: the only name that is no parameter of the function, and no constant of a type.
std::string asked_variable(std::string_view condition, const FunctionBody& function) {
  std::string found;
  bool several = false;
  for_each_name(condition, [&](std::size_t at, std::string_view name) {
    const bool qualified =
        condition.substr(at + name.size()).starts_with("::") || (at >= 2 && condition.substr(at - 2, 2) == "::");
    const bool given = std::ranges::any_of(function.parameters,
                                           [&](const auto& parameter) { return parameter_name(parameter) == name; });
    if (qualified || given || name.starts_with("cuda") || name == "true" || name == "false") return;
    several = several || (!found.empty() && found != name);
    found = name;
  });
  return several ? std::string() : found;
}

/// "level_(level)" and "level_{level}" in the head of a constructor, where that is the only one.
std::uint32_t initializer_of(std::string_view code, std::string_view name) {
  std::size_t found = kNowhere;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t before = before_spaces(code, at), open = past_spaces(code, at + word.size());
    const bool initializes = word == name && before != kNowhere && open < code.size() &&
                             (code[before] == ':' || code[before] == ',') && (code[open] == '(' || code[open] == '{');
    if (!initializes) return;
    several = several || found != kNowhere;
    found = at;
  });
  return several || found == kNowhere ? 0 : line_at(code, found);
}

std::uint32_t line_that_sets(std::string_view code, const std::string& name) {
  const auto setting = only_setting_of(code, name);
  const std::uint32_t initializer = initializer_of(code, name);
  if (setting && initializer != 0) return 0;
  return setting ? setting->line : initializer;
}

SilentReport report_of(std::string_view code, const FunctionBody& function, const Obstacle& obstacle) {
  SilentReport report{function.name,
                      std::string(obstacle.condition->condition),
                      obstacle.condition->line,
                      obstacle.leaves,
                      asked_variable(obstacle.condition->condition, function),
                      0};
  if (!report.variable.empty()) report.set = line_that_sets(code, report.variable);
  return report;
}

Errors errors_given_to(const FunctionBody& function) {
  Errors names;
  for (const std::string& parameter : function.parameters)
    if (parameter.find("cudaError") != std::string::npos) names.push_back(parameter_name(parameter));
  return names;
}

/// Of the function, which is called with the error.
std::optional<SilentReport> silence_in(std::string_view code, const Conditions& conditions, std::string_view name,
                                       int depth) {
  const auto function = depth > 0 ? only_body(code, name) : std::nullopt;
  if (!function) return std::nullopt;
  const Errors errors = errors_given_to(*function);
  const std::vector<std::size_t> prints = prints_in(code, function->begin, function->end);
  if (prints.size() > 1) return std::nullopt;
  if (!prints.empty()) {
    if (!is_to_terminal(code, prints.front())) return std::nullopt;
    const Obstacle obstacle = obstacle_before(code, conditions, function->begin, prints.front(), errors);
    if (obstacle.condition == nullptr || obstacle.condition->condition.size() > kLongestCondition) return std::nullopt;
    return report_of(code, *function, obstacle);
  }
  std::optional<SilentReport> found;
  std::size_t calls = 0, names = 0;
  for_each_call(code, function->begin, function->end, [&](std::size_t at, std::string_view called, std::size_t) {
    if (++names > kMostNames || called == name || called.starts_with("cuda")) return;
    if (!only_body(code, called) || ++calls > 1) return;
    if (obstacle_before(code, conditions, function->begin, at, errors).certain)
      found = silence_in(code, conditions, called, depth - 1);
  });
  return calls == 1 && names <= kMostNames ? found : std::nullopt;
}

/// The brace that ends the block around the place.
std::size_t end_of_block(std::string_view code, std::size_t at) {
  int depth = 0;
  for (; at < code.size(); ++at) {
    depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
    if (depth < 0) return at;
  }
  return code.size();
}

/// Nothing else is stored in it.
bool stays(std::string_view code, std::string_view variable) {
  bool stays = true;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name == variable && begins_assignment(code.substr(past_spaces(code, at + name.size())))) stays = false;
  });
  return stays;
}

/// The function that is called with what is stored in `variable`, or its words, behind `from`, and where.
struct Handed {
  std::size_t place = 0;
  std::string_view function;
};

std::optional<Handed> handed_to(std::string_view code, std::size_t from, std::size_t end, std::string_view variable) {
  std::optional<Handed> found;
  for_each_call(code, from, end, [&](std::size_t at, std::string_view called, std::size_t open) {
    constexpr std::array<std::string_view, 5> kHeads{"if", "while", "for", "switch", "return"};
    const bool may = !found && !called.starts_with("cuda") && std::ranges::find(kHeads, called) == kHeads.end();
    const std::string_view rest = code.substr(0, std::min(end, open + kLongestPart));
    const std::size_t close = may ? past_bracket(rest, open) : kNowhere;
    if (close != kNowhere && has_name(code.substr(open, close - open), variable)) found = Handed{at, called};
  });
  return found;
}

}  // namespace

std::optional<SilentReport> silent_report(std::string_view code, std::size_t call) {
  const std::string_view statement = statement_around(code, call);
  if (statement.empty()) return std::nullopt;
  const Conditions conditions = conditions_of(code);
  const auto begin = static_cast<std::size_t>(statement.data() - code.data());
  const std::size_t end = begin + statement.size();
  const std::string_view variable = variable_of(code, call);
  if (variable.empty()) {
    const std::string_view called = word_before(code, statement.find('(') + begin);
    const bool hands = statement.find('=') == kNowhere && code.find('(', begin) < call && !called.starts_with("cuda");
    return hands ? silence_in(code, conditions, called, kMostReportSteps) : std::nullopt;
  }
  const auto handed = handed_to(code, end, end_of_block(code, end), variable);
  if (!handed || !stays(code.substr(end, handed->place - end), variable)) return std::nullopt;
  if (!obstacle_before(code, conditions, end, handed->place, {std::string(variable)}).certain) return std::nullopt;
  return silence_in(code, conditions, handed->function, kMostReportSteps);
}

void show_silent_reports(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  const std::string code = findings.empty() ? std::string() : without_comments(source);
  for (MergedFinding& finding : findings) {
    const auto error = unreported_error(finding, code, file, submission_run);
    const auto report = error ? silent_report(code, error->call) : std::nullopt;
    if (!report) continue;
    show_error_beside(finding);
    finding.message =
        fmt::format("`{}` gets the error of the launch, and {}", report->function,
                    report->leaves ? "returns here before it prints" : "prints it only where this condition holds");
    finding.where = {finding.where.file, report->line, 0};
    finding.help = fmt::format("let `{}` print errors always: `{}` {} for them", report->function, report->condition,
                               report->leaves ? "must not hold" : "has to hold");
    if (report->set != 0 && report->set != report->line)
      finding.help += fmt::format("; `{}` gets its value in line {}", report->variable, report->set);
    finding.count = 1;
    finding.proven = true;
  }
}

}  // namespace cudalabs
