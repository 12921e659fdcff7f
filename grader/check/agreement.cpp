#include "check/agreement.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "check/explanations.h"

namespace cudalabs {
namespace {

/// Results count, and nothing made a call fail.
bool shows_results(const CaseRun& case_run) {
  return case_run.judgement && !case_run.judged().excused && !case_run.test.spec.faults.any();
}

std::set<std::string> kernels_of(const CaseRun& case_run) {
  std::set<std::string> kernels;
  for (const vgpu::LaunchCounters& launch : case_run.observed.launches) kernels.insert(launch.kernel);
  return kernels;
}

/// Outputs for which the detector has answered, and the kernels that have computed them.
struct Explained {
  std::set<std::string> outputs;
  std::set<std::set<std::string>> kernels;
};

Explained explained_by(std::string_view detector, const std::vector<CaseRun>& case_runs) {
  Explained explained;
  for (const CaseRun& case_run : case_runs) {
    if (!shows_results(case_run)) continue;
    for (const Mismatch& mismatch : case_run.judged().mismatches) {
      if (!mismatch.pattern || mismatch.pattern->detector != detector) continue;
      explained.outputs.insert(mismatch.output);
      explained.kernels.insert(kernels_of(case_run));
    }
  }
  return explained;
}

bool is_contradicted(std::string_view detector, const std::vector<CaseRun>& case_runs) {
  const Explained explained = explained_by(detector, case_runs);
  std::vector<CaseOutput> outputs;
  for (const CaseRun& case_run : case_runs) {
    if (explained.outputs.empty() || !shows_results(case_run)) continue;
    for (const Comparison& comparison : case_run.judged().comparisons) {
      const bool wrong = comparison.count(Fault::wrong) > 0;
      const bool counts = wrong || (comparison.right() && explained.kernels.contains(kernels_of(case_run)));
      if (counts && explained.outputs.contains(comparison.name)) outputs.push_back({&comparison, &case_run.test});
    }
  }
  return !outputs.empty() && !agrees_with(detector, outputs);
}

}  // namespace

std::vector<Explanation> without_contradicted(std::span<const Explanation> explanations,
                                              const std::vector<CaseRun>& case_runs) {
  std::vector<Explanation> left;
  std::ranges::copy_if(explanations, std::back_inserter(left), [&](const Explanation& explanation) {
    return !speaks_of_others(explanation.detector) || !is_contradicted(explanation.detector, case_runs);
  });
  return left;
}

}  // namespace cudalabs
