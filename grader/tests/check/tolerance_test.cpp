// Tolerances: what passes, and above all what must not.
#include "check/tolerance.h"

#include <limits>

#include "catch.h"

using cudalabs::within;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("an error up to the bound passes, one beyond it does not") {
  CHECK(within(1.5, 1.0, 0.5));
  CHECK(within(0.5, 1.0, 0.5));
  CHECK_FALSE(within(1.5000001, 1.0, 0.5));
  CHECK_FALSE(within(0.4999999, 1.0, 0.5));
}

TEST_CASE("a bound of zero asks for the exact value") {
  CHECK(within(3.0, 3.0, 0.0));
  CHECK(within(-0.0, 0.0, 0.0));
  CHECK_FALSE(within(3.0 + 4e-16, 3.0, 0.0));
}

TEST_CASE("NaN passes only for NaN") {
  CHECK(within(kNan, kNan, 0.0));
  CHECK_FALSE(within(kNan, 1.0, 1e300));
  CHECK_FALSE(within(kNan, 1.0, kInf));
  CHECK_FALSE(within(1.0, kNan, 1e300));
  CHECK_FALSE(within(kNan, kInf, 1.0));
}

TEST_CASE("an infinity passes only for the same infinity") {
  CHECK(within(kInf, kInf, 0.0));
  CHECK(within(-kInf, -kInf, 0.0));
  CHECK_FALSE(within(-kInf, kInf, 1e300));
  CHECK_FALSE(within(kInf, 1.0, 1e300));
  CHECK_FALSE(within(kInf, 1.0, kInf));
  CHECK_FALSE(within(1e308, kInf, 1e300));
  CHECK_FALSE(within(kInf, kNan, 1.0));
}

TEST_CASE("a bound that is NaN or negative accepts nothing") {
  CHECK_FALSE(within(1.0, 1.0, kNan));
  CHECK_FALSE(within(1.0, 1.0, -1.0));
}
