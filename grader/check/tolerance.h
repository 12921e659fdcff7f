// When a computed value counts as right.
#pragma once

namespace cudalabs {

/// True when `got` is an acceptable value for `expected`: finite, and off by at most `bound` (absolute, >= 0; 0 asks
/// for the exact value). A NaN or an infinity is right only where the reference itself has the same: a NaN for a NaN,
/// an infinity of the same sign. A bound that is NaN accepts nothing.
bool within(double got, double expected, double bound);

}  // namespace cudalabs
