// Half precision and bfloat16 as bits: exact conversions to float, correctly rounded ones back.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "vgpu/exec/handlers/float_bits.h"

namespace cudalabs::vgpu::exec {

enum class RoundTo : std::uint8_t { nearest_even, zero, down, up, nearest_away };

/// A binary floating-point format of 16 bits.
template <std::uint32_t kMantissaBits, std::int32_t kBias, std::uint16_t kNaN>
struct Format16 {
  static constexpr std::uint32_t kMantissa = kMantissaBits;
  static constexpr std::uint32_t kExponentBits = 15 - kMantissaBits;
  static constexpr std::uint16_t kCanonical = kNaN;
  static constexpr std::uint16_t kInfinity = static_cast<std::uint16_t>(((1u << kExponentBits) - 1) << kMantissaBits);
  static constexpr std::uint16_t kLargest = kInfinity - 1;

  static constexpr std::uint32_t kToDouble = 52 - kMantissaBits;

  static bool is_nan(std::uint16_t bits) { return (bits & 0x7FFF) > kInfinity; }

  /// NaN keeps its bits, but for the one that makes it quiet.
  static double widened(std::uint16_t bits) {
    const std::uint32_t exponent = bits >> kMantissaBits & ((1u << kExponentBits) - 1);
    const std::uint32_t mantissa = bits & ((1u << kMantissaBits) - 1);
    double value = 0;
    if (exponent == (1u << kExponentBits) - 1) {
      value = mantissa != 0 ? quiet(from_bits<double>(0x7FF0'0000'0000'0000 | std::uint64_t{mantissa} << kToDouble))
                            : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
      value = std::ldexp(static_cast<double>(mantissa), 1 - kBias - static_cast<std::int32_t>(kMantissaBits));
    } else {
      value = std::ldexp(static_cast<double>(mantissa | (1u << kMantissaBits)),
                         static_cast<std::int32_t>(exponent) - kBias - static_cast<std::int32_t>(kMantissaBits));
    }
    return (bits & 0x8000) != 0 ? -value : value;
  }

  /// Whether `value`, rounded to nearest as if exponents had no end, is less than the smallest normal number: then
  /// `.ftz` makes a zero of it, even where rounding to a subnormal's last place would make that number.
  static bool vanishes(double value, int sticky = 0) {
    const double limit = std::ldexp(1 - std::ldexp(1.0, -2 - static_cast<int>(kMantissaBits)), 1 - kBias);
    return std::fabs(value) < limit || (std::fabs(value) == limit && sticky < 0);
  }

  /// `value` rounded once. `sticky`: the exact number lies beyond `value` (by less than its last bit) in the direction
  /// of its sign (+1), towards zero (-1), or is `value` itself (0).
  static std::uint16_t rounded(double value, RoundTo mode, int sticky = 0) {
    if (value != value) return kNaN;
    const bool negative = std::signbit(value);
    const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
    const double magnitude = std::fabs(value);
    if (magnitude == std::numeric_limits<double>::infinity()) return sign | kInfinity;
    if (magnitude == 0 && sticky == 0) return sign;
    // In units of the last place of the result, a number below 2^(kMantissaBits + 1).
    constexpr std::int32_t kLeast = 1 - kBias;  // exponent of the smallest normal number
    const std::int32_t exponent = magnitude == 0 ? kLeast : std::max(std::ilogb(magnitude), kLeast);
    const double units = std::ldexp(magnitude, static_cast<std::int32_t>(kMantissaBits) - exponent);
    double whole = std::floor(units);
    double rest = units - whole;
    if (sticky != 0) {
      if (sticky < 0 && rest == 0 && whole > 0) {
        whole -= 1;
        rest = 0.75;  // just below the next whole number
      } else if (rest == 0 || rest == 0.5) {
        rest += sticky > 0 ? 0.25 : -0.25;
      }
    }
    bool up = false;
    switch (mode) {
      case RoundTo::nearest_even:
        up = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0);
        break;
      case RoundTo::nearest_away:
        up = rest >= 0.5;
        break;
      case RoundTo::zero:
        break;
      case RoundTo::down:
        up = negative && rest != 0;
        break;
      case RoundTo::up:
        up = !negative && rest != 0;
        break;
    }
    if (up) whole += 1;
    const auto mantissa = static_cast<std::uint32_t>(whole);
    // A mantissa that overflows carries into the exponent, which is what adding does.
    const std::int32_t biased = exponent + kBias - 1;
    const std::uint32_t bits = (static_cast<std::uint32_t>(biased) << kMantissaBits) + mantissa;
    if (bits < kInfinity) return static_cast<std::uint16_t>(sign | bits);
    const bool to_infinity = mode == RoundTo::nearest_even || mode == RoundTo::nearest_away ||
                             (mode == RoundTo::down && negative) || (mode == RoundTo::up && !negative);
    return sign | (to_infinity ? kInfinity : kLargest);
  }
};

using Half = Format16<10, 15, 0x7FFF>;
using Bfloat = Format16<7, 127, 0x7FFF>;

}  // namespace cudalabs::vgpu::exec
