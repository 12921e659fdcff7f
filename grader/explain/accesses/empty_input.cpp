#include "explain/accesses/empty_input.h"

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

/// A launch without blocks where there are no elements: whatever computes the grid is right.
void explain_empty_grid(MergedFinding& finding, const SubmissionRun& submission_run) {
  const auto& grid = finding.launch.refused_grid;
  if (!grid || std::ranges::find(*grid, 0U) == grid->end()) return;
  if (!needs_empty_input(finding, submission_run)) return;
  const bool result_wanted = std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    return finding.is_seen_in(case_run.test.spec.name) && shows(case_run, finding) &&
           std::ranges::any_of(case_run.test.expected,
                               [](const datasets::ExpectedArray& output) { return output.elements() > 0; });
  });
  finding.help = result_wanted
                     ? "there are no elements in that case, and a grid of 0 blocks cannot be launched: test for 0 "
                       "elements before the launch, and store what the result has to be then"
                     : "there are no elements in that case, and a grid of 0 blocks cannot be launched: return "
                       "before the launch when there is nothing to do";
}

}  // namespace

void explain_empty_inputs(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (finding.id == finding_ids::kInvalidLaunch) explain_empty_grid(finding, submission_run);
    if (finding.id != finding_ids::kNullPointerDereference || !finding.access.only_reads) continue;
    if (!needs_empty_input(finding, submission_run)) continue;
    finding.help =
        "the input has no elements there, and a pointer to no elements is null: nothing may be read through it. Look "
        "at what the program does then, and at what the result has to be";
    if (!finding.other && finding.launch.where.known())
      finding.other = OtherPlace{"this launch reads it", finding.launch.where, {}, {}};
  }
}

}  // namespace cudalabs
