// Sums of integers that were added as `float`, which has too few digits for them.
#pragma once

#include "check/comparison.h"
#include "check/mismatch.h"
#include "datasets/dataset.h"
#include "run/run.h"

namespace cudalabs {

/// Says so of wrong integers, of a case with integers as input, where the kernel that stores them makes them of
/// floating-point numbers and each is a number that a `float` holds, larger than all of which a `float` holds every
/// integer, and no further from the right one than rounding explains. Answers no other way: such integers are also what
/// an element too many gives.
void name_float_sum(Mismatch& mismatch, const Comparison& comparison, const datasets::Case& test,
                    const Observation& observed);

}  // namespace cudalabs
