// Floating-point operations done one lane at a time: approximations of functions, tests, narrow formats
// (PTX ISA: "Floating-Point Instructions", "cvt").
//
// The `.approx` instructions are computed in double precision and rounded once, which is at least as close as the
// device's tables are; their last bits may differ from the device's.
#pragma once

#include <cmath>
#include <cstdint>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lane_form.h"

namespace cudalabs::vgpu::exec::lane_forms {

/// f of a in double precision, rounded to a float.
template <class F>
float approximated(float a, F f) {
  return canonical(static_cast<float>(f(static_cast<double>(a))));
}
template <class F>
float approximated_flushing(float a, F f) {
  return canonical(flushed(static_cast<float>(f(static_cast<double>(flushed(a))))));
}

/// How often a goes round the circle, as the unit that computes sines and cosines gets it: a float, and no subnormal
/// one. Of a large number the float has few or no digits behind the point; then its sine is far off, as on the device.
inline double turns(float a) {
  constexpr float kTurn = 0.159154943F;  // 1 / (2 pi)
  return std::remainder(static_cast<double>(flushed(a * kTurn)), 1.0);
}
constexpr double kTwoPi = 6.283185307179586;
inline float sine(double turns) {
  return canonical(static_cast<float>(std::sin(kTwoPi * turns)));
}
inline float cosine(double turns) {
  return canonical(static_cast<float>(std::cos(kTwoPi * turns)));
}

/// f of the upper 32 bits of a, and of that the upper 32 bits. NaN is the one that single precision has. A NaN whose
/// upper bits are those of infinity is taken for it.
template <class F>
double upper_half(double a, F f) {
  constexpr std::uint64_t kUpper = 0xFFFF'FFFF'0000'0000;
  const double result = flushed(f(flushed(from_bits<double>(to_bits(a) & kUpper))));
  const std::uint64_t nan = std::uint64_t{kCanonicalNaN<float>} << 32;
  return from_bits<double>(result != result ? nan : to_bits(result) & kUpper);
}

/// The 19 leading bits of a float, which has the mantissa's first 10: what is added before the rest is cut off. Of NaN
/// `.rna` cuts off the rest, too, and the others make one.
template <bool kOneNaN, class Added>
std::uint32_t tf32_bits(float a, Added added) {
  constexpr std::uint32_t kRest = (1u << 13) - 1;
  const std::uint32_t bits = to_bits(a);
  if (kOneNaN && a != a) return kCanonicalNaN<float> & ~kRest;
  const bool finite = (bits & 0x7F80'0000) != 0x7F80'0000;
  return (bits + (finite ? added(bits) : 0)) & ~kRest;
}

inline std::uint32_t tf32_away(float a) {
  return tf32_bits<false>(a, [](std::uint32_t) { return 1u << 12; });
}
inline std::uint32_t tf32_nearest(float a) {
  return tf32_bits<true>(a, [](std::uint32_t bits) { return (1u << 12) - 1 + (bits >> 13 & 1); });
}
inline std::uint32_t tf32_cut(float a) {
  return tf32_bits<true>(a, [](std::uint32_t) { return 0u; });
}

inline constexpr auto kRealForms = list(
    form("sin.approx.f32", [](float a) -> float { return sine(turns(a)); }),
    form("sin.approx.ftz.f32", [](float a) -> float { return sine(turns(flushed(a))); }),
    form("cos.approx.f32", [](float a) -> float { return cosine(turns(a)); }),
    form("cos.approx.ftz.f32", [](float a) -> float { return cosine(turns(flushed(a))); }),
    form("ex2.approx.f32", [](float a) -> float { return approximated(a, [](double x) { return std::exp2(x); }); }),
    form("ex2.approx.ftz.f32",
         [](float a) -> float { return approximated_flushing(a, [](double x) { return std::exp2(x); }); }),
    form("lg2.approx.f32", [](float a) -> float { return approximated(a, [](double x) { return std::log2(x); }); }),
    form("lg2.approx.ftz.f32",
         [](float a) -> float { return approximated_flushing(a, [](double x) { return std::log2(x); }); }),
    form("tanh.approx.f32", [](float a) -> float { return approximated(a, [](double x) { return std::tanh(x); }); }),

    form("rcp.approx.ftz.f64", [](double a) -> double { return upper_half(a, [](double x) { return 1 / x; }); }),
    form("rsqrt.approx.ftz.f64",
         [](double a) -> double { return upper_half(a, [](double x) { return 1 / std::sqrt(x); }); }),

    reals("testp.finite.*", []<class T>(T a) -> Bit { return {std::isfinite(a)}; }),
    reals("testp.infinite.*", []<class T>(T a) -> Bit { return {std::isinf(a)}; }),
    reals("testp.number.*", []<class T>(T a) -> Bit { return {!std::isnan(a)}; }),
    reals("testp.notanumber.*", []<class T>(T a) -> Bit { return {std::isnan(a)}; }),
    reals("testp.normal.*", []<class T>(T a) -> Bit { return {std::isnormal(a) || a == 0}; }),  // zeros count as normal
    reals("testp.subnormal.*", []<class T>(T a) -> Bit { return {std::fpclassify(a) == FP_SUBNORMAL}; }),

    form("cvt.rna.tf32.f32", [](float a) -> std::uint32_t { return tf32_away(a); }),
    form("cvt.rn.tf32.f32", [](float a) -> std::uint32_t { return tf32_nearest(a); }),
    form("cvt.rz.tf32.f32", [](float a) -> std::uint32_t { return tf32_cut(a); }),
    form("cvt.rn.relu.tf32.f32",
         [](float a) -> std::uint32_t { return std::signbit(a) && a == a ? 0 : tf32_nearest(a); }),
    form("cvt.rz.relu.tf32.f32", [](float a) -> std::uint32_t { return std::signbit(a) && a == a ? 0 : tf32_cut(a); }));

}  // namespace cudalabs::vgpu::exec::lane_forms
