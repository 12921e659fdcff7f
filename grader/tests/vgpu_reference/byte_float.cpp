// The nearest of all numbers that a byte can be, by trying each.
#include "byte_float.h"

#include <cmath>

#include "rounded.h"

namespace cudalabs::reference {

double number_of(const ByteFormat& format, std::uint64_t code) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>(code >> format.fraction_bits);
  const double fraction =
      static_cast<double>(code & ((1u << format.fraction_bits) - 1)) / static_cast<double>(1 << format.fraction_bits);
  return exponent == 0 ? fraction * std::pow(2, 1 - bias) : (1 + fraction) * std::pow(2, exponent - bias);
}

std::uint64_t byte_of(const ByteFormat& format, double value, bool relu) {
  if (std::isnan(value)) return 0x7F;
  if (relu && std::signbit(value)) return 0;
  const double magnitude = std::fabs(value);
  std::uint64_t nearest = format.most;
  if (magnitude < number_of(format, format.most)) {
    for (std::uint64_t code = format.most; code-- > 0;) {
      const double here = std::fabs(magnitude - number_of(format, code));
      const double before = std::fabs(magnitude - number_of(format, nearest));
      // Of two that are as near the even one.
      if (here < before || (here == before && code % 2 == 0)) nearest = code;
    }
  }
  return std::signbit(value) ? nearest | 0x80 : nearest;
}

std::uint64_t half_of(const ByteFormat& format, std::uint64_t code, bool relu) {
  const std::uint64_t magnitude = code & 0x7F;
  const bool infinite = format.has_infinity && magnitude == format.most + 1;
  if (magnitude > format.most && !infinite) return 0x7FFF;
  if (relu && magnitude != code) return 0;
  const std::uint64_t bits =
      infinite ? kHalf.infinity() : round_into(kHalf, number_of(format, magnitude), Rounding::nearest);
  return magnitude == code ? bits : bits | kHalf.sign();
}

}  // namespace cudalabs::reference
