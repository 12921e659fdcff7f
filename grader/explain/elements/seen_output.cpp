#include "explain/elements/seen_output.h"

#include <algorithm>

namespace cudalabs {

std::vector<SeenOutput> outputs_seen_in(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::vector<SeenOutput> outputs;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || !finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto& comparisons = case_run.judgement->comparisons;
    const auto found = std::ranges::find(comparisons, finding.output, &Comparison::name);
    const bool comparable = found != comparisons.end() && !found->misfit;
    outputs.push_back({&case_run, comparable ? &*found : nullptr});
  }
  return outputs;
}

}  // namespace cudalabs
