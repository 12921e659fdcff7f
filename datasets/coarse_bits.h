// Values that give a computation away which drops part of their significand.
#pragma once

#include "datasets/rng.h"

namespace cudalabs::datasets {

/// `value` with the 13 lowest bits of its single-precision significand set to between 3/8 and 1/2 of the 14th.
///
/// Half precision and TF32 keep 10 of the 23 bits. Of such a value both drop between 2^-12.4 and 2^-11 parts, and drop
/// them towards zero whether they round or cut. Ordinary random values would lose as much upwards as downwards, and
/// over a long sum the losses would cancel down to what an honest single-precision sum may lose; here they add up, and
/// the short cut shows at any length.
float make_cut_visible(double value, Rng& rng);

}  // namespace cudalabs::datasets
