// When a computed value counts as right. Compiled like everything here without fast-math, which would let the compiler
// assume that no NaN ever arrives.
#include "check/tolerance.h"

#include <cmath>

#ifdef __FAST_MATH__
#error "tolerances need IEEE comparisons: compile without -ffast-math"
#endif

namespace cudalabs {

bool within(double got, double expected, double bound) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  if (!std::isfinite(got)) return false;
  const double error = std::abs(got - expected);
  return error <= bound;  // false for a NaN on either side
}

}  // namespace cudalabs
