// From what was observed of the cases to what is wrong with the submission.
#include "check/judge.h"

#include <algorithm>

#include "check/causes.h"
#include "check/run_end.h"

namespace cudalabs {
namespace {

/// The block of threads of the last launch: x runs along a row of the output, y counts its rows.
std::optional<BlockShape> launched_block(const Observation& observed) {
  if (observed.launches.empty()) return std::nullopt;
  const Index3& block = observed.launches.back().config.block;
  return BlockShape{block[1], block[0]};
}

Comparison compare_output(const Observation& observed, const datasets::ExpectedArray& expected) {
  const auto output = std::ranges::find(observed.outputs, expected.name, &datasets::Array::name);
  return output == observed.outputs.end() ? missing_output(expected) : compare(*output, expected);
}

Judgement judgement_of(const Trial& trial) {
  const Observation& observed = trial.observed;
  Judgement judgement;
  judgement.ending = ending_of(observed, trial.test.spec);
  if (observed.end != RunEnd::finished) return judgement;
  for (const datasets::ExpectedArray& expected : trial.test.expected) {
    Comparison comparison = compare_output(observed, expected);
    for (Mismatch& mismatch : mismatches_of(comparison, trial.test, launched_block(observed))) {
      mismatch.follows = follows(mismatch.fault, observed.findings);
      judgement.mismatches.push_back(std::move(mismatch));
    }
    judgement.comparisons.push_back(std::move(comparison));
  }
  return judgement;
}

}  // namespace

bool gives_right_outputs(const Observation& observed, const datasets::Case& test) {
  return observed.end == RunEnd::finished && std::ranges::all_of(test.expected, [&](const auto& expected) {
           return compare_output(observed, expected).right();
         });
}

void judge(std::vector<Trial>& trials) {
  std::vector<CaseFindings> findings;
  for (const Trial& trial : trials) findings.push_back(trial.observed.findings);
  std::vector<CaseFindings> kept = causes(findings);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    trials[i].judgement = judgement_of(trials[i]);
    trials[i].judgement->device = std::move(kept[i]);
  }
}

}  // namespace cudalabs
