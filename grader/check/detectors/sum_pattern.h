// A wrong sum of an array, explained by which elements are in it.
#pragma once

#include <optional>

#include "check/explanations.h"
#include "datasets/dataset.h"

namespace cudalabs {

/// When the output is one number, to be exact, and the exact sum of an input of `test`: which part of that input adds
/// up to what came out instead. Answers for parts that end where a block of threads does, and for all but the last
/// element: `sum_of_whole_blocks`, `sum_of_one_block`, `sum_left_in_one_block` where a launch of one block came after
/// one of many, `sum_of_a_block_of_blocks`, `sum_without_the_last`, each with `first` of `n`. And for a multiple of the
/// sum: `sum_for_each_thread` where it is there as many times as a block has threads, else `sum_many_times`, with
/// `times`. `block`: the one the submission launched, if it launched one.
std::optional<Detected> part_of_sum(const Comparison& comparison, const datasets::Case& test,
                                    std::optional<BlockShape> block);

}  // namespace cudalabs
