// libdevice's mathematics: functions a module declares and leaves to the device.
//
// Single-precision functions are computed in double precision and rounded once, double-precision ones are the C
// library's: at least as close to the true value as the error bounds of the CUDA programming guide ask, though not bit
// for bit what a GPU yields.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "vgpu/exec/builtins/bessel.h"
#include "vgpu/exec/builtins/lane_builtin.h"
#include "vgpu/exec/builtins/tables.h"

namespace cudalabs::vgpu::exec {

namespace {

using ptx::Type;

constexpr double kPi = 3.14159265358979323846;

// sin and cos of pi times x, exact where the result is: the angle is reduced before it is multiplied.
double sinpi(double x) {
  if (!std::isfinite(x)) return x - x;
  const double r = std::remainder(x, 2.0);
  const double a = std::fabs(r);
  if (a == 1.0 || a == 0.0) return std::copysign(0.0, x);
  return a <= 0.25 || a >= 0.75 ? std::sin(kPi * (a >= 0.75 ? std::copysign(1.0, r) - r : r))
                                : std::copysign(std::cos(kPi * (0.5 - a)), r);
}
double cospi(double x) {
  if (!std::isfinite(x)) return x - x;
  const double a = std::fabs(std::remainder(x, 2.0));
  if (a == 0.5) return 0.0;
  if (a <= 0.25) return std::cos(kPi * a);
  if (a >= 0.75) return -std::cos(kPi * (1.0 - a));
  return std::sin(kPi * (0.5 - a));
}

// Infinite where a coordinate is, whatever the others are. In extended precision squares neither overflow nor vanish.
long double norm(long double x, long double y, long double z = 0, long double w = 0) {
  for (const long double coordinate : {x, y, z, w}) {
    if (std::isinf(coordinate)) return std::fabs(coordinate);
  }
  return std::sqrt(x * x + y * y + z * z + w * w);
}
double reciprocal(long double x) {
  return static_cast<double>(1 / x);
}

// The power by repeated squaring, as libdevice has it: each product is rounded.
template <class T>
T power(T base, std::int32_t exponent) {
  const auto left = static_cast<std::uint32_t>(exponent);
  T result = 1;
  for (std::uint32_t bits = exponent < 0 ? 0 - left : left; bits != 0; bits >>= 1) {
    if ((bits & 1) != 0) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1 / result : result;
}

// A number wins against NaN, and +0 is above -0.
double greater(double x, double y) {
  if (x != x || y != y) return x != x ? y : x;
  return x > y || (x == y && std::signbit(y)) ? x : y;
}

// A whole number as an integer: beyond its range the last one, and NaN the lowest.
std::int64_t integer_of(double whole) {
  constexpr double kBeyond = 0x1p63;
  if (whole >= kBeyond) return std::numeric_limits<std::int64_t>::max();
  return whole >= -kBeyond ? static_cast<std::int64_t>(whole) : std::numeric_limits<std::int64_t>::min();
}

// Scaled complementary error function: directly where erfc does not vanish, by its continued fraction beyond.
double erfcx(double x) {
  if (x < 20) {  // in extended precision: the exponential multiplies its argument's error
    const auto wide = static_cast<long double>(x);
    return static_cast<double>(std::exp(wide * wide) * std::erfc(wide));
  }
  double tail = 0;
  for (int k = 60; k > 0; --k) tail = 0.5 * k / (x + tail);
  return 1.0 / std::sqrt(kPi) / (x + tail);
}

// Inverse of the error function: Winitzki's approximation, refined by Newton's method on erf (on erfc near the ends).
double inverse_erf(double y) {
  if (!(std::fabs(y) < 1.0))
    return std::fabs(y) == 1.0 ? std::copysign(std::numeric_limits<double>::infinity(), y)
                               : y - y + std::numeric_limits<double>::quiet_NaN();
  if (y == 0) return y;
  const double a = 0.147;
  const double l = std::log1p(-y * y);
  const double t = 2.0 / (kPi * a) + 0.5 * l;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - l / a) - t), y);
  for (int i = 0; i < 4; ++i) x -= (std::erf(x) - y) / (2.0 / std::sqrt(kPi) * std::exp(-x * x));
  return x;
}
double inverse_erfc(double y) {
  if (!(y > 0.0 && y < 2.0)) {
    if (y == 0.0) return std::numeric_limits<double>::infinity();
    return y == 2.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  if (y > 0.0625 && y < 1.9375) return inverse_erf(1.0 - y);
  const double small = y < 1.0 ? y : 2.0 - y;
  double x = std::sqrt(-std::log(small * std::sqrt(kPi) * std::sqrt(-std::log(small))));
  for (int i = 0; i < 8; ++i) x += (std::erfc(x) - small) / (2.0 / std::sqrt(kPi) * std::exp(-x * x));
  return y < 1.0 ? x : -x;
}

double fraction_of(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
std::int32_t exponent_of(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::isfinite(x) ? exponent : 0;
}
double fractional_part(double x) {
  double whole = 0;
  return std::modf(x, &whole);
}
std::int32_t quotient_of(double x, double y) {
  int quotient = 0;
  (void)std::remquo(x, y, &quotient);
  return quotient < 0 ? -(-quotient & 7) : quotient & 7;
}

// Each pointer argument gets the value of a function of the other arguments.
Builtin stored(Type result, Handler handler, std::vector<Type> arguments, std::vector<Builtin::Store> stores) {
  Builtin builtin;
  builtin.result = result;
  builtin.handler = handler;
  builtin.arguments = std::move(arguments);
  builtin.stores = std::move(stores);
  return builtin;
}

template <class First, class Second>
void add_single_pair(BuiltinTable& table, const std::string& name, First, Second) {
  using F = LaneBuiltin<First>;
  using S = LaneBuiltin<Second>;
  table.emplace("__nv_" + name + "f", stored(Type::none, nullptr, {Type::f32, Type::u64, Type::u64},
                                             {{1, Type::f32, F::kSingleHandler}, {2, Type::f32, S::kSingleHandler}}));
}
template <class First, class Second>
void add_pair(BuiltinTable& table, const std::string& name, First first, Second second) {
  using F = LaneBuiltin<First>;
  using S = LaneBuiltin<Second>;
  table.emplace("__nv_" + name, stored(Type::none, nullptr, {Type::f64, Type::u64, Type::u64},
                                       {{1, Type::f64, F::kHandler}, {2, Type::f64, S::kHandler}}));
  add_single_pair(table, name, first, second);
}

// The second result, a number or an integer, goes through the last argument.
template <class First, class Second>
void add_with_store(BuiltinTable& table, const std::string& name, First, Second) {
  using F = LaneBuiltin<First>;
  using S = LaneBuiltin<Second>;
  const auto make = [](Builtin value, Builtin kept) {
    std::vector<Type> arguments = value.arguments;
    const std::size_t place = arguments.size();
    arguments.push_back(Type::u64);
    return stored(value.result, value.handler, std::move(arguments), {{place, kept.result, kept.handler}});
  };
  table.emplace("__nv_" + name, make(F::builtin(), S::builtin()));
  table.emplace("__nv_" + name + "f", make(F::single_builtin(), S::single_builtin()));
}

void add_elementary(BuiltinTable& table) {
  add_both(table, "acos", [](double x) { return std::acos(x); });
  add_both(table, "acosh", [](double x) { return std::acosh(x); });
  add_both(table, "asin", [](double x) { return std::asin(x); });
  add_both(table, "asinh", [](double x) { return std::asinh(x); });
  add_both(table, "atan", [](double x) { return std::atan(x); });
  add_both(table, "atanh", [](double x) { return std::atanh(x); });
  add_both(table, "cbrt", [](double x) { return std::cbrt(x); });
  add_both(table, "ceil", [](double x) { return std::ceil(x); });
  add_both(table, "cos", [](double x) { return std::cos(x); });
  add_both(table, "cosh", [](double x) { return std::cosh(x); });
  add_both(table, "erf", [](double x) { return std::erf(x); });
  add_both(table, "erfc", [](double x) { return std::erfc(x); });
  add_both(table, "exp", [](double x) { return std::exp(x); });
  add_both(table, "exp2", [](double x) { return std::exp2(x); });
  add_both(table, "expm1", [](double x) { return std::expm1(x); });
  add_both(table, "fabs", [](double x) { return std::fabs(x); });
  add_both(table, "floor", [](double x) { return std::floor(x); });
  add_both(table, "lgamma", [](double x) { return std::lgamma(x); });
  add_both(table, "log", [](double x) { return std::log(x); });
  add_both(table, "log10", [](double x) { return std::log10(x); });
  add_both(table, "log1p", [](double x) { return std::log1p(x); });
  add_both(table, "log2", [](double x) { return std::log2(x); });
  add_both(table, "logb", [](double x) { return std::logb(x); });
  add_both(table, "nearbyint", [](double x) { return std::nearbyint(x); });
  add_both(table, "round", [](double x) { return std::round(x); });
  add_both(table, "sin", [](double x) { return std::sin(x); });
  add_both(table, "sinh", [](double x) { return std::sinh(x); });
  add_both(table, "sqrt", [](double x) { return std::sqrt(x); });
  add_both(table, "tan", [](double x) { return std::tan(x); });
  add_both(table, "tanh", [](double x) { return std::tanh(x); });
  add_both(table, "tgamma", [](double x) { return std::tgamma(x); });
  add_both(table, "trunc", [](double x) { return std::trunc(x); });
  add_both(table, "rint", [](double x) { return std::nearbyint(x); });
  add_both(table, "rsqrt", [](double x) { return 1.0 / std::sqrt(x); });
  add_both(table, "rcbrt", [](double x) { return reciprocal(std::cbrt(static_cast<long double>(x))); });
  add_both(table, "exp10", [](double x) { return std::pow(10.0, x); });
  add_both(table, "sinpi", [](double x) { return sinpi(x); });
  add_both(table, "cospi", [](double x) { return cospi(x); });
  add_both(table, "atan2", [](double x, double y) { return std::atan2(x, y); });
  add_both(table, "fdim", [](double x, double y) { return std::fdim(x, y); });
  add_both(table, "fmod", [](double x, double y) { return std::fmod(x, y); });
  add_both(table, "hypot", [](double x, double y) { return static_cast<double>(norm(x, y)); });
  add_both(table, "pow", [](double x, double y) { return std::pow(x, y); });
  add_both(table, "remainder", [](double x, double y) { return std::remainder(x, y); });
  add_both(table, "rhypot", [](double x, double y) { return reciprocal(norm(x, y)); });
  // The first power is the number itself, NaN as it is.
  add_moving(table, "powi", [](double x, std::int32_t n) { return n == 1 ? x : settled(power(x, n), x); });
  add(table, "powif", [](float x, std::int32_t n) { return power(x, n); });
  add_both(table, "ldexp", [](double x, std::int32_t n) { return std::ldexp(x, n); });
  add_both(table, "scalbn", [](double x, std::int32_t n) { return std::ldexp(x, n); });
}

void add_special(BuiltinTable& table) {
  add_both(table, "erfinv", [](double x) { return inverse_erf(x); });
  add_both(table, "erfcinv", [](double x) { return inverse_erfc(x); });
  add_both(table, "erfcx", [](double x) { return erfcx(x); });
  add_both(table, "normcdf", [](double x) {
    return static_cast<double>(0.5L * std::erfc(static_cast<long double>(-x) / std::sqrt(2.0L)));
  });
  add_both(table, "normcdfinv", [](double x) { return -std::sqrt(2.0) * inverse_erfc(2.0 * x); });
  add_both(table, "cyl_bessel_i0", [](double x) { return bessel_i(0, x); });
  add_both(table, "cyl_bessel_i1", [](double x) { return bessel_i(1, x); });
  add_both(table, "j0", [](double x) { return bessel_j(0, x); });
  add_both(table, "j1", [](double x) { return bessel_j(1, x); });
  add_both(table, "y0", [](double x) { return bessel_y(0, x); });
  add_both(table, "y1", [](double x) { return bessel_y(1, x); });
  add_both(table, "jn", [](std::int32_t n, double x) { return bessel_j(n, x); });
  add_both(table, "yn", [](std::int32_t n, double x) { return bessel_y(n, x); });
  add_both(table, "norm3d", [](double x, double y, double z) { return static_cast<double>(norm(x, y, z)); });
  add_both(table, "rnorm3d", [](double x, double y, double z) { return reciprocal(norm(x, y, z)); });
  add_both(table, "norm4d",
           [](double x, double y, double z, double w) { return static_cast<double>(norm(x, y, z, w)); });
  add_both(table, "rnorm4d", [](double x, double y, double z, double w) { return reciprocal(norm(x, y, z, w)); });
}

// What single precision must not take the way through double precision for.
void add_exact(BuiltinTable& table) {
  add(table, "nextafter", [](double x, double y) { return std::nextafter(x, y); });
  add(table, "nextafterf", [](float x, float y) { return std::nextafter(x, y); });
  add(table, "fma", [](double x, double y, double z) { return std::fma(x, y, z); });
  add(table, "fmaf", [](float x, float y, float z) { return std::fma(x, y, z); });
  add_moving(table, "copysign", [](double x, double y) { return std::copysign(x, y); });
  add_moving(table, "copysignf", [](float x, float y) { return std::copysign(x, y); });
  add_both(table, "fmax", [](double x, double y) { return greater(x, y); });
  add_both(table, "fmin", [](double x, double y) { return -greater(-x, -y); });
  add_both(table, "ilogb", [](double x) -> std::int32_t { return std::ilogb(x); });
  add_both(table, "llrint", [](double x) -> std::int64_t { return integer_of(std::nearbyint(x)); });
  add_both(table, "llround", [](double x) -> std::int64_t { return integer_of(std::round(x)); });
  add(table, "isnand", [](double x) -> std::int32_t { return std::isnan(x); });
  add(table, "isnanf", [](float x) -> std::int32_t { return std::isnan(x); });
  add(table, "isinfd", [](double x) -> std::int32_t { return std::isinf(x); });
  add(table, "isinff", [](float x) -> std::int32_t { return std::isinf(x); });
  add(table, "isfinited", [](double x) -> std::int32_t { return std::isfinite(x); });
  add(table, "finitef", [](float x) -> std::int32_t { return std::isfinite(x); });
  add(table, "signbitd", [](double x) -> std::int32_t { return std::signbit(x); });
  add(table, "signbitf", [](float x) -> std::int32_t { return std::signbit(x); });
  add(table, "saturatef", [](float x) { return saturated(x); });
}

void add_fast(BuiltinTable& table) {
  add(table, "fast_sinf", [](float x) { return static_cast<float>(std::sin(double{x})); });
  add(table, "fast_cosf", [](float x) { return static_cast<float>(std::cos(double{x})); });
  add(table, "fast_tanf", [](float x) { return static_cast<float>(std::tan(double{x})); });
  add(table, "fast_expf", [](float x) { return static_cast<float>(std::exp(double{x})); });
  add(table, "fast_exp10f", [](float x) { return static_cast<float>(std::pow(10.0, double{x})); });
  add(table, "fast_logf", [](float x) { return static_cast<float>(std::log(double{x})); });
  add(table, "fast_log2f", [](float x) { return static_cast<float>(std::log2(double{x})); });
  add(table, "fast_log10f", [](float x) { return static_cast<float>(std::log10(double{x})); });
  // 2 to the power of y times the logarithm of x, each of them rounded.
  add(table, "fast_powf", [](float x, float y) {
    const float exponent = y * static_cast<float>(std::log2(double{x}));
    return static_cast<float>(std::exp2(double{exponent}));
  });
  // By a reciprocal, which is 0 from 2^126 on.
  add(table, "fast_fdividef",
      [](float x, float y) { return std::fabs(y) > 0x1p126F ? x * std::copysign(0.0F, y) : x / y; });
  add(table, "frsqrt_rn", [](float x) { return static_cast<float>(1.0 / std::sqrt(double{x})); });
}

void add_pointer_functions(BuiltinTable& table) {
  const auto sine = [](double x) { return std::sin(x); };
  const auto cosine = [](double x) { return std::cos(x); };
  add_pair(table, "sincos", sine, cosine);
  add_single_pair(table, "fast_sincos", sine, cosine);
  add_pair(
      table, "sincospi", [](double x) { return sinpi(x); }, [](double x) { return cospi(x); });
  add_with_store(
      table, "frexp", [](double x) { return fraction_of(x); }, [](double x) { return exponent_of(x); });
  add_with_store(
      table, "modf", [](double x) { return fractional_part(x); }, [](double x) { return std::trunc(x); });
  add_with_store(
      table, "remquo", [](double x, double y) { return std::remainder(x, y); },
      [](double x, double y) { return quotient_of(x, y); });
}

BuiltinTable libdevice_table() {
  BuiltinTable table;
  add_elementary(table);
  add_special(table);
  add_exact(table);
  add_fast(table);
  add_pointer_functions(table);
  return table;
}

}  // namespace

const BuiltinTable& libdevice_mathematics() {
  static const BuiltinTable kTable = libdevice_table();
  return kTable;
}

}  // namespace cudalabs::vgpu::exec
