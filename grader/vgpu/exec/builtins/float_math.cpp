// libdevice's single-precision mathematics: computed in double by the C library and rounded once, so at least as exact
// as the bounds the CUDA programming guide states, and the same on every machine but for the last bit of double. The
// `fast` forms give the same values: their larger errors are not worth imitating.
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "vgpu/exec/builtins/lane_function.h"

namespace cudalabs::vgpu::exec {
namespace {

template <double (*kFunction)(double)>
float in_double(float x) {
  return static_cast<float>(kFunction(static_cast<double>(x)));
}

template <double (*kFunction)(double, double)>
float in_double2(float x, float y) {
  return static_cast<float>(kFunction(static_cast<double>(x), static_cast<double>(y)));
}

template <double (*kFunction)(double)>
void add_unary(BuiltinTable& table, const std::string& name) {
  add_function<&in_double<kFunction>>(table, name);
}

float sine(float x) {
  return in_double<std::sin>(x);
}
float cosine(float x) {
  return in_double<std::cos>(x);
}
float sine_of_pi(float x) {
  return static_cast<float>(std::sin(std::numbers::pi * std::fmod(static_cast<double>(x), 2.0)));
}
float cosine_of_pi(float x) {
  return static_cast<float>(std::cos(std::numbers::pi * std::fmod(static_cast<double>(x), 2.0)));
}
float exp10(float x) {
  return static_cast<float>(std::pow(10.0, static_cast<double>(x)));
}
float reciprocal_sqrt(float x) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
float reciprocal_cbrt(float x) {
  return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x)));
}
float quotient(float x, float y) {
  return x / y;
}
float minimum(float x, float y) {
  return std::fmin(x, y);
}
float maximum(float x, float y) {
  return std::fmax(x, y);
}
float positive_difference(float x, float y) {
  return std::fdim(x, y);
}
float fused(float x, float y, float z) {
  return std::fma(x, y, z);
}
float copy_sign(float x, float y) {
  return std::copysign(x, y);
}
float remainder_of(float x, float y) {
  return std::fmod(x, y);
}
float ieee_remainder(float x, float y) {
  return std::remainder(x, y);
}
float next_after(float x, float y) {
  return std::nextafter(x, y);
}
float power_of_integer(float x, std::int32_t n) {
  return static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(n)));
}
float scaled(float x, std::int32_t n) {
  return std::ldexp(x, n);
}
std::int32_t exponent(float x) {
  return std::ilogb(x);
}
float norm3(float x, float y, float z) {
  return static_cast<float>(
      std::sqrt(static_cast<double>(x) * x + static_cast<double>(y) * y + static_cast<double>(z) * z));
}
float reciprocal_norm3(float x, float y, float z) {
  return static_cast<float>(
      1.0 / std::sqrt(static_cast<double>(x) * x + static_cast<double>(y) * y + static_cast<double>(z) * z));
}
float saturated(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}  // NaN becomes 0
float absolute(float x) {
  return std::fabs(x);
}
float square_root(float x) {
  return std::sqrt(x);
}
float to_integral(float x) {
  return std::nearbyint(x);
}
float rounded(float x) {
  return std::round(x);
}
float truncated(float x) {
  return std::trunc(x);
}
float floored(float x) {
  return std::floor(x);
}
float ceiled(float x) {
  return std::ceil(x);
}
std::int32_t is_nan(float x) {
  return std::isnan(x) ? 1 : 0;
}
std::int32_t is_infinite(float x) {
  return std::isinf(x) ? 1 : 0;
}
std::int32_t is_finite(float x) {
  return std::isfinite(x) ? 1 : 0;
}
std::int32_t sign_bit(float x) {
  return std::signbit(x) ? 1 : 0;
}
std::int64_t long_round(float x) {
  return std::llround(x);
}
std::int64_t long_rint(float x) {
  return std::llrint(x);
}
float fraction(float x) {
  float whole = 0;
  return std::modf(x, &whole);
}
float whole_part(float x) {
  float whole = 0;
  std::modf(x, &whole);
  return whole;
}
float mantissa(float x) {
  int power = 0;
  return std::frexp(x, &power);
}
std::int32_t binary_exponent(float x) {
  int power = 0;
  std::frexp(x, &power);
  return power;
}

}  // namespace

void add_float_math(BuiltinTable& table) {
  add_function<&sine>(table, "__nv_sinf");
  add_function<&sine>(table, "__nv_fast_sinf");
  add_function<&cosine>(table, "__nv_cosf");
  add_function<&cosine>(table, "__nv_fast_cosf");
  add_unary<std::tan>(table, "__nv_tanf");
  add_unary<std::tan>(table, "__nv_fast_tanf");
  add_function<&sine_of_pi>(table, "__nv_sinpif");
  add_function<&cosine_of_pi>(table, "__nv_cospif");
  add_pair_function<&sine, &cosine, float>(table, "__nv_sincosf");
  add_pair_function<&sine, &cosine, float>(table, "__nv_fast_sincosf");
  add_pair_function<&sine_of_pi, &cosine_of_pi, float>(table, "__nv_sincospif");
  add_unary<std::asin>(table, "__nv_asinf");
  add_unary<std::acos>(table, "__nv_acosf");
  add_unary<std::atan>(table, "__nv_atanf");
  add_function<&in_double2<std::atan2>>(table, "__nv_atan2f");
  add_unary<std::sinh>(table, "__nv_sinhf");
  add_unary<std::cosh>(table, "__nv_coshf");
  add_unary<std::tanh>(table, "__nv_tanhf");
  add_unary<std::asinh>(table, "__nv_asinhf");
  add_unary<std::acosh>(table, "__nv_acoshf");
  add_unary<std::atanh>(table, "__nv_atanhf");
  add_unary<std::exp>(table, "__nv_expf");
  add_unary<std::exp>(table, "__nv_fast_expf");
  add_unary<std::exp2>(table, "__nv_exp2f");
  add_function<&exp10>(table, "__nv_exp10f");
  add_function<&exp10>(table, "__nv_fast_exp10f");
  add_unary<std::expm1>(table, "__nv_expm1f");
  add_unary<std::log>(table, "__nv_logf");
  add_unary<std::log>(table, "__nv_fast_logf");
  add_unary<std::log2>(table, "__nv_log2f");
  add_unary<std::log2>(table, "__nv_fast_log2f");
  add_unary<std::log10>(table, "__nv_log10f");
  add_unary<std::log10>(table, "__nv_fast_log10f");
  add_unary<std::log1p>(table, "__nv_log1pf");
  add_unary<std::logb>(table, "__nv_logbf");
  add_function<&in_double2<std::pow>>(table, "__nv_powf");
  add_function<&in_double2<std::pow>>(table, "__nv_fast_powf");
  add_function<&power_of_integer>(table, "__nv_powif");
  add_function<&in_double2<std::hypot>>(table, "__nv_hypotf");
  add_function<&norm3>(table, "__nv_norm3df");
  add_function<&reciprocal_norm3>(table, "__nv_rnorm3df");
  add_function<&square_root>(table, "__nv_sqrtf");
  add_function<&reciprocal_sqrt>(table, "__nv_rsqrtf");
  add_unary<std::cbrt>(table, "__nv_cbrtf");
  add_function<&reciprocal_cbrt>(table, "__nv_rcbrtf");
  add_unary<std::erf>(table, "__nv_erff");
  add_unary<std::erfc>(table, "__nv_erfcf");
  add_unary<std::tgamma>(table, "__nv_tgammaf");
  add_unary<std::lgamma>(table, "__nv_lgammaf");
  add_function<&quotient>(table, "__nv_fast_fdividef");
  add_function<&quotient>(table, "__nv_fdividef");
  add_function<&minimum>(table, "__nv_fminf");
  add_function<&maximum>(table, "__nv_fmaxf");
  add_function<&positive_difference>(table, "__nv_fdimf");
  add_function<&fused>(table, "__nv_fmaf");
  add_function<&copy_sign>(table, "__nv_copysignf");
  add_function<&remainder_of>(table, "__nv_fmodf");
  add_function<&ieee_remainder>(table, "__nv_remainderf");
  add_function<&next_after>(table, "__nv_nextafterf");
  add_function<&scaled>(table, "__nv_ldexpf");
  add_function<&scaled>(table, "__nv_scalbnf");
  add_function<&exponent>(table, "__nv_ilogbf");
  add_function<&saturated>(table, "__nv_saturatef");
  add_function<&absolute>(table, "__nv_fabsf");
  add_function<&to_integral>(table, "__nv_rintf");
  add_function<&to_integral>(table, "__nv_nearbyintf");
  add_function<&rounded>(table, "__nv_roundf");
  add_function<&truncated>(table, "__nv_truncf");
  add_function<&floored>(table, "__nv_floorf");
  add_function<&ceiled>(table, "__nv_ceilf");
  add_function<&is_nan>(table, "__nv_isnanf");
  add_function<&is_infinite>(table, "__nv_isinff");
  add_function<&is_finite>(table, "__nv_finitef");
  add_function<&sign_bit>(table, "__nv_signbitf");
  add_function<&long_round>(table, "__nv_llroundf");
  add_function<&long_rint>(table, "__nv_llrintf");
  add_split_function<&fraction, &whole_part, float, float>(table, "__nv_modff");
  add_split_function<&mantissa, &binary_exponent, float, std::int32_t>(table, "__nv_frexpf");
}

}  // namespace cudalabs::vgpu::exec
