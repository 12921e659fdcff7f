// libdevice's double-precision mathematics, by the C library.
#include <cmath>
#include <numbers>

#include "vgpu/exec/builtins/lane_function.h"

namespace cudalabs::vgpu::exec {
namespace {

template <double (*kFunction)(double)>
double of_one(double x) {
  return kFunction(x);
}
template <double (*kFunction)(double, double)>
double of_two(double x, double y) {
  return kFunction(x, y);
}
template <double (*kFunction)(double)>
void add_unary(BuiltinTable& table, const std::string& name) {
  add_function<&of_one<kFunction>>(table, name);
}
template <double (*kFunction)(double, double)>
void add_binary(BuiltinTable& table, const std::string& name) {
  add_function<&of_two<kFunction>>(table, name);
}

double sine(double x) {
  return std::sin(x);
}
double cosine(double x) {
  return std::cos(x);
}
double sine_of_pi(double x) {
  return std::sin(std::numbers::pi * std::fmod(x, 2.0));
}
double cosine_of_pi(double x) {
  return std::cos(std::numbers::pi * std::fmod(x, 2.0));
}
double exp10(double x) {
  return std::pow(10.0, x);
}
double reciprocal_sqrt(double x) {
  return 1.0 / std::sqrt(x);
}
double reciprocal_cbrt(double x) {
  return 1.0 / std::cbrt(x);
}
double fused(double x, double y, double z) {
  return std::fma(x, y, z);
}
double power_of_integer(double x, std::int32_t n) {
  return std::pow(x, static_cast<double>(n));
}
double scaled(double x, std::int32_t n) {
  return std::ldexp(x, n);
}
std::int32_t exponent(double x) {
  return std::ilogb(x);
}
double norm3(double x, double y, double z) {
  return std::hypot(x, y, z);
}
double reciprocal_norm3(double x, double y, double z) {
  return 1.0 / std::hypot(x, y, z);
}
std::int32_t is_nan(double x) {
  return std::isnan(x) ? 1 : 0;
}
std::int32_t is_infinite(double x) {
  return std::isinf(x) ? 1 : 0;
}
std::int32_t is_finite(double x) {
  return std::isfinite(x) ? 1 : 0;
}
std::int32_t sign_bit(double x) {
  return std::signbit(x) ? 1 : 0;
}
std::int64_t long_round(double x) {
  return std::llround(x);
}
std::int64_t long_rint(double x) {
  return std::llrint(x);
}
double fraction(double x) {
  double whole = 0;
  return std::modf(x, &whole);
}
double whole_part(double x) {
  double whole = 0;
  std::modf(x, &whole);
  return whole;
}
double mantissa(double x) {
  int power = 0;
  return std::frexp(x, &power);
}
std::int32_t binary_exponent(double x) {
  int power = 0;
  std::frexp(x, &power);
  return power;
}

}  // namespace

void add_double_math(BuiltinTable& table) {
  add_function<&sine>(table, "__nv_sin");
  add_function<&cosine>(table, "__nv_cos");
  add_unary<std::tan>(table, "__nv_tan");
  add_function<&sine_of_pi>(table, "__nv_sinpi");
  add_function<&cosine_of_pi>(table, "__nv_cospi");
  add_pair_function<&sine, &cosine, double>(table, "__nv_sincos");
  add_pair_function<&sine_of_pi, &cosine_of_pi, double>(table, "__nv_sincospi");
  add_unary<std::asin>(table, "__nv_asin");
  add_unary<std::acos>(table, "__nv_acos");
  add_unary<std::atan>(table, "__nv_atan");
  add_binary<std::atan2>(table, "__nv_atan2");
  add_unary<std::sinh>(table, "__nv_sinh");
  add_unary<std::cosh>(table, "__nv_cosh");
  add_unary<std::tanh>(table, "__nv_tanh");
  add_unary<std::asinh>(table, "__nv_asinh");
  add_unary<std::acosh>(table, "__nv_acosh");
  add_unary<std::atanh>(table, "__nv_atanh");
  add_unary<std::exp>(table, "__nv_exp");
  add_unary<std::exp2>(table, "__nv_exp2");
  add_function<&exp10>(table, "__nv_exp10");
  add_unary<std::expm1>(table, "__nv_expm1");
  add_unary<std::log>(table, "__nv_log");
  add_unary<std::log2>(table, "__nv_log2");
  add_unary<std::log10>(table, "__nv_log10");
  add_unary<std::log1p>(table, "__nv_log1p");
  add_unary<std::logb>(table, "__nv_logb");
  add_binary<std::pow>(table, "__nv_pow");
  add_function<&power_of_integer>(table, "__nv_powi");
  add_binary<std::hypot>(table, "__nv_hypot");
  add_function<&norm3>(table, "__nv_norm3d");
  add_function<&reciprocal_norm3>(table, "__nv_rnorm3d");
  add_unary<std::sqrt>(table, "__nv_sqrt");
  add_function<&reciprocal_sqrt>(table, "__nv_rsqrt");
  add_unary<std::cbrt>(table, "__nv_cbrt");
  add_function<&reciprocal_cbrt>(table, "__nv_rcbrt");
  add_unary<std::erf>(table, "__nv_erf");
  add_unary<std::erfc>(table, "__nv_erfc");
  add_unary<std::tgamma>(table, "__nv_tgamma");
  add_unary<std::lgamma>(table, "__nv_lgamma");
  add_binary<std::fmin>(table, "__nv_fmin");
  add_binary<std::fmax>(table, "__nv_fmax");
  add_binary<std::fdim>(table, "__nv_fdim");
  add_function<&fused>(table, "__nv_fma");
  add_binary<std::copysign>(table, "__nv_copysign");
  add_binary<std::fmod>(table, "__nv_fmod");
  add_binary<std::remainder>(table, "__nv_remainder");
  add_binary<std::nextafter>(table, "__nv_nextafter");
  add_function<&scaled>(table, "__nv_ldexp");
  add_function<&scaled>(table, "__nv_scalbn");
  add_function<&exponent>(table, "__nv_ilogb");
  add_unary<std::fabs>(table, "__nv_fabs");
  add_unary<std::nearbyint>(table, "__nv_rint");
  add_unary<std::nearbyint>(table, "__nv_nearbyint");
  add_unary<std::round>(table, "__nv_round");
  add_unary<std::trunc>(table, "__nv_trunc");
  add_unary<std::floor>(table, "__nv_floor");
  add_unary<std::ceil>(table, "__nv_ceil");
  add_function<&is_nan>(table, "__nv_isnand");
  add_function<&is_infinite>(table, "__nv_isinfd");
  add_function<&is_finite>(table, "__nv_isfinited");
  add_function<&sign_bit>(table, "__nv_signbitd");
  add_function<&long_round>(table, "__nv_llround");
  add_function<&long_rint>(table, "__nv_llrint");
  add_split_function<&fraction, &whole_part, double, double>(table, "__nv_modf");
  add_split_function<&mantissa, &binary_exponent, double, std::int32_t>(table, "__nv_frexp");
}

}  // namespace cudalabs::vgpu::exec
