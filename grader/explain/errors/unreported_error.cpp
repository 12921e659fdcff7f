#include "explain/errors/unreported_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/silent_failure.h"
#include "source/call_text.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The call that told the program in a case of the finding; null: not known.
const WatchedCall* told_in(const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    const auto& failed = case_run.observed.made_to_fail;
    if (finding.is_seen_in(case_run.test.spec.name) && failed && failed->asked &&
        failed->asked->where.line == finding.where.line)
      return &*failed->asked;
  }
  return nullptr;
}

}  // namespace

std::optional<UnreportedError> unreported_error(const MergedFinding& finding, std::string_view code,
                                                const std::string& file, const SubmissionRun& submission_run) {
  const bool unreported = is_unreported(finding) && finding.where.known() && finding.is_in_file(file);
  const WatchedCall* told = unreported ? told_in(finding, submission_run) : nullptr;
  if (told == nullptr) return std::nullopt;
  const auto call = only_call_in_line(code, told->where.line, told->name);
  if (!call) return std::nullopt;
  UnreportedError error{*call, told->name};
  if (!statement_around(code, error.call).starts_with("return")) return error;
  if (told->outer.file != told->where.file || !told->outer.known()) return std::nullopt;
  error.name = defined_around(code, error.call);
  const auto outer = error.name.empty() ? std::nullopt : only_call_in_line(code, told->outer.line, error.name);
  if (!outer) return std::nullopt;
  error.call = *outer;
  return error;
}

std::string_view variable_of(std::string_view code, std::size_t call) {
  const std::string_view statement = statement_around(code, call);
  const std::size_t sign = statement.find('=');
  if (sign == kNowhere) return {};
  const auto begin = static_cast<std::size_t>(statement.data() - code.data());
  const std::size_t open = past_spaces(code, end_of_word(code, call));
  const std::size_t end = open < code.size() && code[open] == '(' ? past_bracket(code, open) : kNowhere;
  const bool whole = end != kNowhere && past_spaces(code, end) == begin + statement.size();
  if (!whole || past_spaces(code, begin + sign + 1) != call) return {};
  const std::string_view name = word_before(statement, sign);
  const bool words = std::ranges::all_of(statement.substr(0, sign), [](char letter) {
    return is_word_letter(letter) || letter == ' ' || letter == '\n' || letter == ':';
  });
  return words && is_identifier(name) ? name : std::string_view();
}

bool is_unreported(const MergedFinding& finding) {
  return finding.id == finding_ids::kUncheckedLaunch && !finding.failed_call.empty();
}

void show_error_beside(MergedFinding& finding) {
  std::string told = finding.message;
  replace_end(told, kNotReported, "");
  if (finding.other && finding.other->place.known())
    finding.note.insert(0, fmt::format("{} is in line {}\n", finding.other->label, finding.other->place.line));
  finding.other = OtherPlace{std::move(told), finding.where, {}, {}};
  finding.failed_call.clear();
}

}  // namespace cudalabs
