// Bessel functions, with CUDA's values at special operands.
//
// The C library finds J and Y by a recurrence of as many steps as the order says. Beyond kRecurrences they are computed
// by the first term of Olver's expansion, which holds on both sides of the turning point x = order.
#include "vgpu/exec/builtins/bessel.h"

#include <math.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace cudalabs::vgpu::exec {

namespace {

using Real = long double;

constexpr std::int32_t kRecurrences = 16384;
constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
// e to this power or its reciprocal is no double any more, whatever moderate factor is before it.
constexpr Real kGreatestPower = 800;
constexpr Real kRealPi = std::numbers::pi_v<Real>, kInverseRootPi = std::numbers::inv_sqrtpi_v<Real>;

struct Airy {
  Real ai, bi;
};

// Ai(t) and Bi(t) by their series at 0.
Airy airy_near_zero(Real t) {
  constexpr Real kAtZero = 0.355028053887817239260L, kSlope = 0.258819403792806798405L;
  const Real cube = t * t * t;
  Real f = 1, g = t, f_term = 1, g_term = t;
  for (int k = 3; k <= 180; k += 3) {
    f_term *= cube / (k * (k - 1));
    g_term *= cube / (k * (k + 1));
    f += f_term;
    g += g_term;
  }
  return {kAtZero * f - kSlope * g, std::numbers::sqrt3_v<Real> * (kAtZero * f + kSlope * g)};
}

// The same by their asymptotic series; xi = 2/3 |t|^(3/2).
Airy airy_far(Real t, Real xi) {
  Real even[2] = {0, 0}, odd[2] = {0, 0};  // of the series' terms: their sums, and those with alternating signs
  Real term = 1;
  for (int k = 0; k < 10; ++k) {
    const Real sign = k % 4 < 2 ? 1 : -1;
    (k % 2 == 0 ? even : odd)[0] += term;
    (k % 2 == 0 ? even : odd)[1] += sign * term;
    const auto next = static_cast<Real>(k + 1);
    term *= (6 * next - 5) * (6 * next - 3) * (6 * next - 1) / (216 * next * (2 * next - 1) * xi);
  }
  const Real factor = kInverseRootPi / std::sqrt(std::sqrt(std::fabs(t)));
  if (t > 0) return {factor / 2 * std::exp(-xi) * (even[0] - odd[0]), factor * std::exp(xi) * (even[0] + odd[0])};
  const Real cosine = std::cos(xi - kRealPi / 4), sine = std::sin(xi - kRealPi / 4);
  return {factor * (cosine * even[1] + sine * odd[1]), factor * (cosine * odd[1] - sine * even[1])};
}

struct Pair {
  double j, y;
};

// `order` is great, x positive and finite.
Pair of_great_order(Real order, Real x) {
  const bool decays = x < order;
  // 1 - (x / order)^2 or its opposite is the square of this.
  const Real root = std::sqrt(std::fabs(order - x)) * std::sqrt(order + x) / order;
  const Real xi = order * (decays ? std::atanh(root) - root : root - std::atan(root));
  if (decays && !(xi < kGreatestPower)) return {0.0, -kInfinity};
  const Real t = std::cbrt(2.25L * xi * xi) * (decays ? 1 : -1), scale = std::cbrt(order);
  const Airy airy = std::fabs(t) < 6 ? airy_near_zero(t) : airy_far(t, xi);
  const Real factor =
      (root < 1e-4L ? std::cbrt(Real{2}) : std::sqrt(2 * std::sqrt(std::fabs(t)) / scale / root)) / scale;
  return {static_cast<double>(factor * airy.ai), static_cast<double>(-factor * airy.bi)};
}

}  // namespace

double bessel_j(std::int32_t order, double x) {
  if (order < 0 || std::isnan(x)) return kNan;
  const double sign = x < 0 && order % 2 != 0 ? -1.0 : 1.0;
  if (std::isinf(x)) return sign * 0.0;
  return order <= kRecurrences ? ::jn(order, x) : sign * of_great_order(order, std::fabs(x)).j;
}

double bessel_y(std::int32_t order, double x) {
  if (order < 0 || !(x >= 0)) return kNan;
  if (x == 0) return -kInfinity;
  if (std::isinf(x)) return 0.0;
  return order <= kRecurrences ? ::yn(order, x) : of_great_order(order, x).y;
}

double bessel_i(int order, double x) {
  const Real a = std::fabs(x);
  const double sign = order == 1 && std::signbit(x) ? -1.0 : 1.0;
  if (std::isnan(x)) return kNan;
  if (a > kGreatestPower) return sign * kInfinity;
  Real sum = 0, term = 1;
  if (a < 30) {
    if (order == 1) term = a / 2;
    for (int k = 1; sum + term != sum; ++k) {
      sum += term;
      term *= a * a / (4 * k * (k + order));
    }
  } else {
    for (int k = 1; k < 60 && sum + term != sum; ++k) {  // from the sixtieth on the terms grow
      sum += term;
      term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8 * k * a);
    }
    sum *= std::exp(a) / std::sqrt(2 * kRealPi * a);
  }
  return sign * static_cast<double>(sum);
}

}  // namespace cudalabs::vgpu::exec
