// From what was observed of the cases to what is wrong with the submission.
#include "check/judge.h"

#include <algorithm>
#include <iterator>

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

}  // namespace

bool gives_right_outputs(const Observation& observed, const datasets::Case& test) {
  return observed.end == RunEnd::finished && std::ranges::all_of(test.expected, [&](const auto& expected) {
           return compare_output(observed, expected).right();
         });
}

void judge(Trial& trial) {
  Judgement judgement;
  const Observation& observed = trial.observed;
  if (auto ending = ending_of(observed, trial.test.spec)) judgement.ending.push_back(std::move(*ending));
  if (observed.end == RunEnd::finished) {
    for (const datasets::ExpectedArray& expected : trial.test.expected) {
      Comparison comparison = compare_output(observed, expected);
      std::ranges::move(mismatches_of(comparison, trial.test, launched_block(observed)),
                        std::back_inserter(judgement.mismatches));
      judgement.comparisons.push_back(std::move(comparison));
    }
  }
  trial.judgement = std::move(judgement);
}

}  // namespace cudalabs
