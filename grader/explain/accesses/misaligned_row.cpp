// What the device tells of the row, and the condition that leads there, which is read as text.
#include "explain/accesses/misaligned_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "explain/accesses/helper_access.h"
#include "explain/accesses/rest_loop.h"
#include "explain/accesses/row_question.h"
#include "explain/accesses/wide_question.h"
#include "explain/separating_sizes.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The only size of such a case that is as large as a row has elements; empty: there is none, or several.
std::string size_of_row(const MergedFinding& finding, const SubmissionRun& submission_run) {
  const auto is_as_large = [&](const auto& parameter) {
    return parameter.second == static_cast<std::int64_t>(finding.access.row_elements);
  };
  for (const CaseRun& case_run : submission_run.case_runs) {
    const datasets::CaseSpec& spec = case_run.test.spec;
    if (spec.hidden || !finding.is_seen_in(spec.name)) continue;
    const auto first = std::ranges::find_if(spec.parameters, is_as_large);
    if (first == spec.parameters.end()) continue;
    return std::ranges::count_if(spec.parameters, is_as_large) == 1 ? first->first : std::string();
  }
  return {};
}

/// Nothing else decides about the place, in the part that is executed where it holds, after the condition begins.
std::optional<ConditionText> innermost_around(std::string_view code, std::size_t place) {
  std::optional<ConditionText> innermost;
  for (const ConditionText& each : conditions_of(code))
    if (each.body <= place && place < each.end_of_body) innermost = each;
  return innermost;
}

/// That around the access, or around the only call of the function that has it.
std::optional<ConditionText> condition_around(std::string_view code, std::size_t place, const std::string& kernel) {
  constexpr int kMostCalls = 3;
  for (int calls = 0; place != kNowhere; ++calls) {
    if (auto condition = innermost_around(code, place)) return condition;
    const auto function = function_around_line(code, line_at(code, place));
    if (!function || function->name == plain_name(kernel) || calls == kMostCalls) break;
    place = only_call_of(code, *function);
  }
  return std::nullopt;
}

/// "Vector" of "template <bool Vector>" before the function.
bool asks_for_template_parameter(std::string_view code, std::string_view condition, std::size_t place) {
  constexpr std::size_t kLongestHead = 600;
  const std::size_t from = place - std::min(place, kLongestHead);
  const std::string_view before = code.substr(from, place - from);
  const std::size_t at = before.rfind("template");
  if (at == kNowhere) return false;
  const std::size_t open = past_spaces(before, at + std::string_view("template").size());
  const std::size_t past = open < before.size() && before[open] == '<' ? past_bracket(before, open) : kNowhere;
  if (past == kNowhere) return false;
  const std::string_view parameters = before.substr(open, past - open);
  bool asks = false;
  for_each_name(parameters, [&](std::size_t name, std::string_view word) {
    if (word != "bool" || asks) return;
    const std::size_t begin = past_spaces(parameters, name + word.size()), end = end_of_word(parameters, begin);
    asks = has_name(condition, parameters.substr(begin, end - begin));
  });
  return asks;
}

/// Where the host decides to launch that instance of the template: the condition around the only launch of it, or the
/// line that sets the variable which it asks for.
std::optional<Setting> host_condition(std::string_view code, std::string_view kernel) {
  const std::size_t scope = kernel.rfind("::", kernel.find('<'));
  const std::string instance(scope == kNowhere ? kernel : kernel.substr(scope + 2));
  std::size_t launch = kNowhere;
  for (std::size_t at = code.find(instance); at != kNowhere; at = code.find(instance, at + 1)) {
    if (!code.substr(past_spaces(code, at + instance.size())).starts_with("<<<")) continue;
    if (launch != kNowhere) return std::nullopt;
    launch = at;
  }
  const auto condition = launch == kNowhere ? std::nullopt : innermost_around(code, launch);
  if (!condition) return std::nullopt;
  if (is_identifier(condition->condition))
    if (auto set = last_setting_of(code, condition->line, condition->condition)) return set;
  return setting_at_place(code, condition->begin, "if", Setting::How::asked);
}

struct WideCondition {
  Setting where;
  bool chooses = false;  // between this access and another one
  bool plain = false;    // it asks for an element, and not for several at once
};

/// The innermost loop around the access, where its head counts in groups.
std::optional<Setting> wide_loop(const MergedFinding& finding, std::string_view code, std::uint64_t together,
                                 const SourceNumbers& numbers) {
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  if (place == kNowhere) return std::nullopt;
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* loop = innermost_loop(loops, place);
  const bool wide = loop != nullptr && (counts_in_groups(loop->condition, loop->line, together, numbers) ||
                                        counts_in_groups(loop->step, loop->line, together, numbers));
  return wide ? std::optional(setting_at_place(code, loop->begin, "for", Setting::How::asked)) : std::nullopt;
}

std::optional<WideCondition> condition_for(const MergedFinding& finding, std::string_view code, std::uint64_t together,
                                           const SourceNumbers& numbers) {
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  const auto condition = condition_around(code, place, finding.kernel);
  if (!condition) return std::nullopt;
  const auto function = function_around_line(code, condition->line);
  if (function && asks_for_template_parameter(code, condition->condition, function->begin))
    if (const auto set = host_condition(code, finding.kernel)) return WideCondition{*set, true, false};
  // What leaves the function for threads without an element lets all others go on.
  return WideCondition{setting_at_place(code, condition->begin, "if", Setting::How::asked),
                       condition->end > condition->end_of_body, is_plain_guard(*condition, code, together, numbers)};
}

/// What each thread is to do where its row allows no wide access.
std::string help_for_row(const MergedFinding& finding, std::string_view code, std::uint64_t together,
                         const std::string& where) {
  const AccessFacts& access = finding.access;
  const std::uint64_t begin = access.row * access.row_elements;
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  const auto condition = condition_around(code, place, finding.kernel);
  const std::uint32_t rest = condition ? unlimited_rest(code, *condition) : 0;
  if (rest == 0) {
    return fmt::format(
        "row {} of `{}` begins after {} elements, which is no multiple of {}: read and write {} elements at once only "
        "where {}, and one by one otherwise",
        access.row, access.array, begin, together, together, where);
  }
  return fmt::format(
      "row {} of `{}` begins after {} elements, no multiple of {}: take {} at once only where {}; otherwise one by "
      "one, at most {} in each thread (line {})",
      access.row, access.array, begin, together, together, where, together, rest);
}

}  // namespace

void show_misaligned_rows(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kMisalignedAccess || finding.other || !finding.is_in_file(file)) continue;
    const AccessFacts& access = finding.access;
    if (access.row_elements == 0 || access.bytes % access.element_bytes != 0) continue;
    if (code.empty()) code = without_comments(source);
    const std::uint64_t together = access.bytes / access.element_bytes;
    const std::string size = size_of_row(finding, submission_run);
    const std::string where = !size.empty() && has_name(code, size)
                                  ? fmt::format("`{} % {} == 0`", size, together)
                                  : fmt::format("the length of a row is a multiple of {}", together);
    if (const SourcePlace argument = argument_of_access(code, finding.where, finding.kernel); argument.known())
      finding.where = argument;
    finding.help = help_for_row(finding, code, together, where);
    if (const auto question = row_question(code, finding.kernel, static_cast<std::int64_t>(together), size)) {
      finding.other = OtherPlace{fmt::format("this asks for `{}`, and not for {}", question->asked,
                                             size.empty() ? "the length of a row" : fmt::format("`{}`", size)),
                                 {finding.where.file, question->where.line, question->where.column},
                                 {},
                                 {}};
      continue;
    }
    const SourceNumbers numbers(code);
    const auto condition = condition_for(finding, code, together, numbers);
    const std::uint32_t line =
        condition && condition->chooses ? 0 : only_question_for_rest(code, static_cast<std::int64_t>(together));
    if (line != 0)
      finding.other =
          OtherPlace{fmt::format("this asks for a multiple of {}", together), {finding.where.file, line, 0}, {}, {}};
    if (line != 0 || !condition) continue;
    const auto loop = condition->plain ? wide_loop(finding, code, together, numbers) : std::nullopt;
    if (condition->plain && !loop) continue;
    const Setting& shown = loop ? *loop : condition->where;
    if (shown.line == finding.where.line) continue;
    finding.other = OtherPlace{fmt::format("this lets the program do {} elements at once", together),
                               {finding.where.file, shown.line, shown.column},
                               {},
                               {}};
  }
}

}  // namespace cudalabs
