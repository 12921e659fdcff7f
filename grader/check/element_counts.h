// How often each element of an input is in a sum that came out wrong, and what that says about the mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/comparison.h"
#include "check/explanations.h"
#include "check/mismatch.h"
#include "datasets/dataset.h"
#include "run/run.h"

namespace cudalabs {

/// The inputs whose sum an output of one number should be, to be exact: their values, and where they are among the
/// inputs of `test`. None for another output.
struct SummedInput {
  std::size_t number = 0;
  std::vector<double> values;
};
std::vector<SummedInput> summed_inputs(const Comparison& comparison, const datasets::Case& test);

/// What elements are in the sum too often, or not at all; `threads`: of a block, 0: not known. Nothing where each is
/// there once. Of elements that are left out, which is all that is wrong: `sum_without_warps` where they are those of
/// whole warps of a block, `sum_without_lanes` where they are those of the same lanes of each warp, `sum_without_a_run`
/// where they are neighbours, else `sum_without_some`. Of elements that are there several times:
/// `sum_many_times` where all are, `sum_with_a_run_again`, `sum_with_some_again`. Of both: `sum_with_others_again`.
std::optional<Detected> what_counts_say(std::span<const std::int64_t> counts, std::int64_t threads);

/// Says so of the mismatch, in the words of the lab, and where the cause of it is. Does nothing where it has no words.
void name_counts(Mismatch& mismatch, std::span<const std::int64_t> counts, const Comparison& comparison,
                 const Observation& observed, std::span<const Explanation> explanations);

}  // namespace cudalabs
