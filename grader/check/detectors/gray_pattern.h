// A grey picture with wrong values: how its colours were read and weighed.
#pragma once

#include <optional>

#include "check/comparison.h"
#include "check/explanations.h"
#include "datasets/dataset.h"

namespace cudalabs {

/// Every wrong pixel of `gray` is what comes out of `rgb` in one wrong way: `gray_of_signed_bytes`, from 128 on a byte
/// counts as negative; `gray_red_and_blue_exchanged`; `gray_of_planes`, all reds come first; `gray_of_bytes`, a pixel
/// begins one byte after the last one; `gray_of_divided_terms`, each of the three products loses its remainder;
/// `gray_of_halves_to_even` and `gray_of_dropped_rest`, the sum was rounded in another way, and
/// `gray_of_decimal_weights`, the weights were 0.299, 0.587 and 0.114, or others that people use: these show in every
/// pixel where they would.
std::optional<Detected> gray_of_wrong_colours(const Comparison& comparison, const datasets::Case& test,
                                              std::optional<BlockShape> block);

}  // namespace cudalabs
