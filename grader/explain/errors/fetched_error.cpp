// The calls of the case tell what each question returned.
#include "explain/errors/fetched_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/call_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using Calls = std::vector<WatchedCall>;

bool asks(const WatchedCall& call) {
  return call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError";
}

bool ends_question(const WatchedCall& call) {
  return call.name.starts_with("cudaLaunch") || call.name.starts_with("cudaMemcpy");
}

/// The first question, before anything is launched or copied, that returned success although one in that line had
/// returned the error; null: none did.
const WatchedCall* second_question(const Calls& calls, const SourcePlace& first_line) {
  const auto first = std::ranges::find_if(calls, [&](const WatchedCall& call) {
    return call.name == "cudaGetLastError" && call.status != 0 && call.where == first_line;
  });
  if (first == calls.end()) return nullptr;
  const auto end = std::find_if(first, calls.end(), ends_question);
  const auto second = std::find_if(first, end, [](const WatchedCall& call) { return asks(call) && call.status == 0; });
  return second == end || second->where.file != first_line.file ? nullptr : &*second;
}

/// The places of the line's questions in the text.
std::vector<std::size_t> questions_in(std::string_view code, std::uint32_t line) {
  std::vector<std::size_t> places;
  const std::size_t begin = place_of_line(code, line, 1);
  if (begin == kNowhere) return places;
  const std::string_view text = code.substr(begin, code.find('\n', begin) - begin);
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (name == "cudaGetLastError" || name == "cudaPeekAtLastError") places.push_back(begin + at);
  });
  return places;
}

/// "cudaGetErrorString(cudaGetLastError())": what it returned is for people alone, and decides nothing.
bool is_only_named(std::string_view code, std::size_t question) {
  const std::size_t open = before_spaces(code, question);
  const std::string_view caller = open != kNowhere && code[open] == '(' ? word_before(code, open) : std::string_view();
  return caller == "cudaGetErrorString" || caller == "cudaGetErrorName";
}

/// Of the second of two questions in one line: it is a statement of its own, or behind a condition.
bool is_dropped(std::string_view code, std::size_t question) {
  const std::size_t open = code.find('(', question), before = before_spaces(code, question);
  const std::size_t end = open == kNowhere ? kNowhere : past_bracket(code, open);
  const std::size_t behind = end == kNowhere ? kNowhere : past_spaces(code, end);
  const bool ends = behind < code.size() && code[behind] == ';';
  return before == kNowhere ||
         (ends && (std::string_view(";{})").find(code[before]) != kNowhere || word_before(code, question) == "else"));
}

bool was_written_after_failure(const MergedFinding& finding) {
  return finding.id == finding_ids::kResultMismatch && finding.where.known() &&
         finding.failed_call == "cudaGetLastError";
}

void place_at_question(MergedFinding& finding, const WatchedCall& question) {
  const std::uint32_t first = finding.where.line;
  if (finding.other && finding.other->place.known())
    finding.note.insert(
        0, fmt::format("line {} copies the output to the host, after the failure\n", finding.other->place.line));
  replace_rest(finding.message, returns_error(finding.failed_call),
               fmt::format(": `{}` returns `cudaSuccess` here", question.name));
  finding.other = OtherPlace{"this has fetched and cleared the error", finding.where, {}, {}};
  finding.where = question.where;
  finding.help = fmt::format(
      "`cudaGetLastError` returns an error once: line {} has fetched and cleared it, so line {} gets `cudaSuccess`. "
      "Call it once after the launch, keep what it returns, and use that in both places",
      first, question.where.line);
}

/// Both questions are in the line of the finding.
void tell_second_in_line(MergedFinding& finding) {
  replace_rest(finding.message, returns_error(finding.failed_call),
               ": this asks for the last error twice, and the second call returns `cudaSuccess`");
  finding.help = fmt::format(
      "`cudaGetLastError` returns an error once: the first call of line {} has fetched and cleared it, so the second "
      "one "
      "gets `cudaSuccess`. Call it once after the launch, keep what it returns in a variable, and use that in both "
      "places",
      finding.where.line);
}

void show_question(MergedFinding& finding, const WatchedCall& question, std::string_view code) {
  const std::vector<std::size_t> places = questions_in(code, question.where.line);
  if (question.where == finding.where) {
    const bool decides = places.size() == 2 && !is_only_named(code, places[1]) && !is_dropped(code, places[1]);
    if (decides) tell_second_in_line(finding);
    return;
  }
  const bool named = std::ranges::any_of(places, [&](std::size_t place) { return is_only_named(code, place); });
  if (!named && use_of_result(code, question.where.line, question.name) == ResultUse::used)
    place_at_question(finding, question);
}

}  // namespace

void show_fetched_errors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!was_written_after_failure(finding) || !finding.is_in_file(file)) continue;
    const auto shown = std::ranges::find_if(
        submission_run.case_runs, [&](const CaseRun& case_run) { return case_run.test.spec.name == finding.shown; });
    if (shown == submission_run.case_runs.end()) continue;
    const WatchedCall* question = second_question(shown->observed.after_failure, finding.where);
    if (question == nullptr) continue;
    if (code.empty()) code = without_comments(source);
    show_question(finding, *question, code);
  }
}

}  // namespace cudalabs
