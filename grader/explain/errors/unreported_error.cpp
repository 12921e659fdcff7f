#include "explain/errors/unreported_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// How the message of such a finding ends.
constexpr std::string_view kEnding = ", and the program does not report it";

/// The only call of that name in the line.
std::size_t only_call_in_line(std::string_view code, std::uint32_t line, std::string_view name) {
  const std::size_t begin = place_of_line(code, line, 0);
  if (begin == kNowhere) return kNowhere;
  const std::string_view text = code.substr(begin, code.substr(begin).find('\n'));
  std::size_t found = kNowhere;
  bool several = false;
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    if (word != name) return;
    several = several || found != kNowhere;
    found = begin + at;
  });
  return several ? kNowhere : found;
}

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
  UnreportedError error{only_call_in_line(code, told->where.line, told->name), told->name};
  if (error.call == kNowhere) return std::nullopt;
  if (!statement_around(code, error.call).starts_with("return")) return error;
  if (told->outer.file != told->where.file || !told->outer.known()) return std::nullopt;
  error.name = defined_around(code, error.call);
  error.call = error.name.empty() ? kNowhere : only_call_in_line(code, told->outer.line, error.name);
  return error.call == kNowhere ? std::nullopt : std::optional(error);
}

std::string_view statement_around(std::string_view code, std::size_t place) {
  constexpr std::size_t kLongestStatement = 500;
  const std::size_t before = place == 0 ? kNowhere : code.find_last_of(";{}", place - 1);
  const std::size_t begin = past_spaces(code, before == kNowhere ? 0 : before + 1);
  const std::size_t end = code.find_first_of(";{}", place);
  if (end == kNowhere || code[end] != ';' || end - begin > kLongestStatement) return {};
  return code.substr(begin, end - begin);
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
  return finding.id == finding_ids::kUncheckedLaunch && finding.message.ends_with(kEnding);
}

void show_error_beside(MergedFinding& finding) {
  const std::string told = finding.message.substr(0, finding.message.rfind(kEnding));
  if (finding.other && finding.other->place.known())
    finding.note.insert(0, fmt::format("{} is in line {}\n", finding.other->label, finding.other->place.line));
  finding.other = OtherPlace{told, finding.where, {}, {}};
}

}  // namespace cudalabs
