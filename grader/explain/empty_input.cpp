#include "explain/empty_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The input without elements that all of the finding's cases have; empty: they have none.
std::string empty_input_of(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::string name;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (std::ranges::find(finding.cases, case_run.test.spec.name) == finding.cases.end()) continue;
    const auto input =
        std::ranges::find_if(case_run.test.inputs, [](const datasets::Array& array) { return array.elements() == 0; });
    if (input == case_run.test.inputs.end() || (!name.empty() && name != input->name)) return {};
    name = input->name;
  }
  return name;
}

}  // namespace

void explain_empty_inputs(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kNullPointerDereference || !finding.message.starts_with("read of")) continue;
    const std::string input = empty_input_of(finding, submission_run);
    if (input.empty()) continue;
    finding.help = fmt::format(
        "there the input `{}` has no elements, and a pointer to no elements is null: nothing may be read through it. "
        "Look at what the program does then, and at what the result has to be",
        input);
    if (!finding.other && finding.launch.where.known())
      finding.other = OtherPlace{"this launch reads it", finding.launch.where, {}, {}};
  }
}

}  // namespace cudalabs
