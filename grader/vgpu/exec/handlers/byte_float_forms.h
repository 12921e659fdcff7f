// Conversions between floating-point numbers of a byte, which come in pairs, and wider ones (PTX ISA: "cvt",
// "Alternate Floating-Point Data Formats").
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "vgpu/exec/handlers/half_bits.h"
#include "vgpu/exec/handlers/lane_form.h"

namespace cudalabs::vgpu::exec::lane_forms {

/// A format of a sign, exponent and mantissa in eight bits. `kMost`: the largest number; codes above it are NaN, but
/// for infinity, where the format has it.
template <std::int32_t kMantissaBits, std::int32_t kBias, std::uint32_t kMost, bool kHasInfinity>
struct ByteFloat {
  static constexpr std::uint32_t kNaN = 0x7F;

  /// A magnitude, as a number.
  static double magnitude_of(std::uint32_t code) {
    if (code > kMost) {
      return kHasInfinity && code == kMost + 1 ? std::numeric_limits<double>::infinity()
                                               : std::numeric_limits<double>::quiet_NaN();
    }
    const auto exponent = static_cast<std::int32_t>(code >> kMantissaBits);
    const auto mantissa = static_cast<std::int32_t>(code & ((1u << kMantissaBits) - 1));
    const std::int32_t whole = exponent == 0 ? mantissa : mantissa + (1 << kMantissaBits);
    return std::ldexp(whole, std::max(exponent, 1) - kBias - kMantissaBits);
  }

  static std::uint16_t half(std::uint32_t code) {
    const double magnitude = magnitude_of(code & 0x7F);
    return Half::rounded((code & 0x80) != 0 ? -magnitude : magnitude, RoundTo::nearest_even);
  }

  /// Rounded to nearest even; what is too large becomes the largest number.
  static std::uint32_t code_of(double value) {
    if (value != value) return kNaN;
    const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
    const double magnitude = std::min(std::fabs(value), magnitude_of(kMost));
    if (magnitude == 0) return sign;
    const std::int32_t exponent = std::max(std::ilogb(magnitude), 1 - kBias);
    const double whole = std::nearbyint(std::ldexp(magnitude, kMantissaBits - exponent));
    // A mantissa that overflows carries into the exponent, which is what adding does.
    return sign |
           ((static_cast<std::uint32_t>(exponent + kBias - 1) << kMantissaBits) + static_cast<std::uint32_t>(whole));
  }
};
using FloatE4M3 = ByteFloat<3, 7, 0x7E, false>;
using FloatE5M2 = ByteFloat<2, 15, 0x7B, true>;

/// `.relu`: zero for what is below it.
template <bool kRelu>
std::uint32_t without_negative(std::uint32_t code, std::uint32_t sign) {
  return kRelu && (code & sign) != 0 ? 0 : code;
}

/// The first number becomes the upper byte.
template <class Format, bool kRelu>
std::uint16_t byte_floats(double upper, double lower) {
  const std::uint32_t high = without_negative<kRelu>(Format::code_of(upper), 0x80);
  const std::uint32_t low = without_negative<kRelu>(Format::code_of(lower), 0x80);
  return static_cast<std::uint16_t>(high << 8 | low);
}
template <class Format, bool kRelu>
HalfPair halves_of_bytes(std::uint16_t codes) {
  const std::uint32_t high = without_negative<kRelu>(Format::half(codes >> 8), 0x8000);
  const std::uint32_t low = without_negative<kRelu>(Format::half(codes & 0xFF), 0x8000);
  return {high << 16 | low};
}

template <class Format, bool kRelu>
consteval auto conversions_of_bytes(std::string_view from_floats, std::string_view from_halves,
                                    std::string_view to_halves) {
  return list(form(from_floats, [](float a, float b) -> std::uint16_t { return byte_floats<Format, kRelu>(a, b); }),
              form(from_halves,
                   [](HalfPair a) -> std::uint16_t {
                     return byte_floats<Format, kRelu>(Half::widened(static_cast<std::uint16_t>(a.bits >> 16)),
                                                       Half::widened(static_cast<std::uint16_t>(a.bits)));
                   }),
              form(to_halves, [](std::uint16_t a) -> HalfPair { return halves_of_bytes<Format, kRelu>(a); }));
}

inline constexpr auto kByteFloatForms =
    list(conversions_of_bytes<FloatE4M3, false>("cvt.rn.satfinite.e4m3x2.f32", "cvt.rn.satfinite.e4m3x2.f16x2",
                                                "cvt.rn.f16x2.e4m3x2"),
         conversions_of_bytes<FloatE4M3, true>("cvt.rn.satfinite.relu.e4m3x2.f32", "cvt.rn.satfinite.relu.e4m3x2.f16x2",
                                               "cvt.rn.relu.f16x2.e4m3x2"),
         conversions_of_bytes<FloatE5M2, false>("cvt.rn.satfinite.e5m2x2.f32", "cvt.rn.satfinite.e5m2x2.f16x2",
                                                "cvt.rn.f16x2.e5m2x2"),
         conversions_of_bytes<FloatE5M2, true>("cvt.rn.satfinite.relu.e5m2x2.f32", "cvt.rn.satfinite.relu.e5m2x2.f16x2",
                                               "cvt.rn.relu.f16x2.e5m2x2"));

}  // namespace cudalabs::vgpu::exec::lane_forms
