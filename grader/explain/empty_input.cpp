#include "explain/empty_input.h"

#include <algorithm>

#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The case shows the finding itself; to those of a finding belong also cases that only follow from it.
bool shows(const CaseRun& case_run, const MergedFinding& finding) {
  return std::ranges::any_of(case_run.judged().device, [&](const Finding& seen) {
    return seen.id == finding.id && seen.where.line == finding.where.line;
  });
}

/// All cases that show the finding have an input without elements.
bool needs_empty_input(const MergedFinding& finding, const SubmissionRun& submission_run) {
  bool seen = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name) || !shows(case_run, finding)) continue;
    const auto is_empty = [](const datasets::Array& input) { return input.elements() == 0; };
    if (std::ranges::none_of(case_run.test.inputs, is_empty)) return false;
    seen = true;
  }
  return seen;
}

}  // namespace

void explain_empty_inputs(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kNullPointerDereference || !finding.message.starts_with("read of")) continue;
    if (!needs_empty_input(finding, submission_run)) continue;
    finding.help =
        "the input has no elements there, and a pointer to no elements is null: nothing may be read through it. Look "
        "at what the program does then, and at what the result has to be";
    if (!finding.other && finding.launch.where.known())
      finding.other = OtherPlace{"this launch reads it", finding.launch.where, {}, {}};
  }
}

}  // namespace cudalabs
