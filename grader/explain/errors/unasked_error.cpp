#include "explain/errors/unasked_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "source/call_text.h"
#include "source/function_text.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using Calls = std::vector<WatchedCall>;

/// Calls that are taken to tell how the kernel went: they wait for it, or may.
bool looks_at_kernel(const WatchedCall& call) {
  return call.name.ends_with("Synchronize") || call.name.starts_with("cudaMemcpy") || call.name.ends_with("Query");
}

/// From the launch on that the finding is about; null: no case has them. What the device says of a launch that failed
/// is not about one that did not.
const Calls* calls_after(const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    const Calls& calls = case_run.observed.after_launch;
    if (calls.empty() || !finding.is_seen_in(case_run.test.spec.name)) continue;
    const bool is_of_launch = calls.front().where.line == finding.where.line;
    if (is_of_launch && (finding.kernel.empty() || calls.front().status != 0)) return &calls;
  }
  return nullptr;
}

/// The first call before the next launch whose result the program uses; null: there is none.
const WatchedCall* looked_at(const Calls& calls, std::string_view code, std::uint32_t launch) {
  const auto is_launch = [](const WatchedCall& call) { return call.name.starts_with("cudaLaunch"); };
  const auto next = std::find_if(std::next(calls.begin()), calls.end(), is_launch);
  const auto found = std::find_if(std::next(calls.begin()), next, [&](const WatchedCall& call) {
    return call.status == 0 && looks_at_kernel(call) &&
           use_of_result(code, call.where.line, call.name) == ResultUse::used &&
           line_in_function_of(code, launch, call.where.line, call.outer.line) != 0;
  });
  return found == next ? nullptr : &*found;
}

void show_call(MergedFinding& finding, const WatchedCall& call, std::string_view code) {
  const std::uint32_t caller = line_in_function_of(code, finding.where.line, call.where.line, call.outer.line);
  const bool in_helper = caller != call.where.line;
  finding.message = fmt::format(
      "`{}` does not return the error of a launch that is refused, and nothing else asks for it", call.name);
  finding.other = OtherPlace{fmt::format("{}its result does not tell whether the kernel was launched",
                                         in_helper ? fmt::format("called in line {}: ", caller) : std::string()),
                             call.where,
                             {},
                             {}};
  const auto helper = in_helper ? function_around_line(code, call.where.line) : std::nullopt;
  finding.help = fmt::format("call `cudaGetLastError()` right after the launch{}, and report what is not `cudaSuccess`",
                             helper ? fmt::format(", or first of all in `{}`", helper->name) : std::string());
}

/// The question before the launch is in the macro that makes the launch: shows it there.
void show_macro_with_question(MergedFinding& finding, std::string_view source) {
  if (finding.other->place != SourcePlace{finding.where.file, finding.where.line, finding.other->place.column}) return;
  for (const std::string_view name : {"cudaGetLastError", "cudaPeekAtLastError"}) {
    const auto call = call_by_macro(source, finding.where.line, name);
    if (!call) continue;
    finding.other->place = {finding.where.file, call->line, 0};
    finding.help = fmt::format(
        "call `cudaGetLastError()` in `{}` right after the launch, and report what is not `cudaSuccess`", call->macro);
    return;
  }
}

}  // namespace

void show_unasked_errors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUncheckedLaunch || !finding.is_in_file(file)) continue;
    if (finding.other) {
      show_macro_with_question(finding, source);
      continue;
    }
    const Calls* calls = calls_after(finding, submission_run);
    if (calls == nullptr) continue;
    if (code.empty()) code = without_comments(source);
    if (const WatchedCall* call = looked_at(*calls, code, finding.where.line)) show_call(finding, *call, code);
  }
}

}  // namespace cudalabs
