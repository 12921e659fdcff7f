// The calls of the case tell what each question returned.
#include "explain/errors/fetched_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/call_text.h"
#include "text/code_text.h"
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

/// The first question in another line, before anything is launched or copied, that returned success; null: none did.
const WatchedCall* second_question(const Calls& calls, const SourcePlace& first_line) {
  const auto first = std::ranges::find_if(calls, [&](const WatchedCall& call) {
    return call.name == "cudaGetLastError" && call.status != 0 && call.where == first_line;
  });
  if (first == calls.end()) return nullptr;
  const auto end = std::find_if(first, calls.end(), ends_question);
  const auto second = std::find_if(first, end, [](const WatchedCall& call) { return asks(call) && call.status == 0; });
  return second == end || second->where == first_line || second->where.file != first_line.file ? nullptr : &*second;
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
  const std::size_t words = std::min(finding.message.find(": `cudaGetLastError`"), finding.message.size());
  finding.message.replace(words, std::string::npos, fmt::format(": `{}` returns `cudaSuccess` here", question.name));
  finding.other = OtherPlace{"this has fetched and cleared the error", finding.where, {}, {}};
  finding.where = question.where;
  finding.help = fmt::format(
      "`cudaGetLastError` returns an error once: line {} has fetched and cleared it, so line {} gets `cudaSuccess`. "
      "Call it once after the launch, keep what it returns, and use that in both places",
      first, question.where.line);
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
    if (use_of_result(code, question->where.line, question->name) == ResultUse::used)
      place_at_question(finding, *question);
  }
}

}  // namespace cudalabs
