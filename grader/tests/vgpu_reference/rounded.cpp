// Floating-point arithmetic in all four rounding modes, and numbers rounded into any binary format.
//
// The arithmetic is the processor's own under each of its rounding modes. This file is compiled with -frounding-math,
// and operands and results pass through volatile objects, so that nothing is computed elsewhere than between the two
// changes of the mode.
#include "rounded.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace cudalabs::reference {
namespace {

int mode_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return FE_TOWARDZERO;
    case Rounding::down:
      return FE_DOWNWARD;
    case Rounding::up:
      return FE_UPWARD;
    case Rounding::none:
    case Rounding::nearest:
      break;
  }
  return FE_TONEAREST;
}

template <class Number, class Compute>
Number under(Rounding rounding, Compute compute) {
  std::fesetround(mode_of(rounding));
  const volatile Number result = compute();
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class Number>
Number add_as(Number a, Number b, Rounding rounding) {
  const volatile Number x = a, y = b;
  return under<Number>(rounding, [&] { return x + y; });
}
template <class Number>
Number multiply_as(Number a, Number b, Rounding rounding) {
  const volatile Number x = a, y = b;
  return under<Number>(rounding, [&] { return x * y; });
}
template <class Number>
Number multiply_add_as(Number a, Number b, Number c, Rounding rounding) {
  const volatile Number x = a, y = b, z = c;
  return under<Number>(rounding, [&] { return std::fma(Number{x}, Number{y}, Number{z}); });
}
template <class Number>
Number divide_as(Number a, Number b, Rounding rounding) {
  const volatile Number x = a, y = b;
  return under<Number>(rounding, [&] { return x / y; });
}
template <class Number>
Number square_root_as(Number a, Rounding rounding) {
  const volatile Number x = a;
  return under<Number>(rounding, [&] { return std::sqrt(Number{x}); });
}

}  // namespace

float add(float a, float b, Rounding rounding) {
  return add_as(a, b, rounding);
}
float multiply(float a, float b, Rounding rounding) {
  return multiply_as(a, b, rounding);
}
float multiply_add(float a, float b, float c, Rounding rounding) {
  return multiply_add_as(a, b, c, rounding);
}
float divide(float a, float b, Rounding rounding) {
  return divide_as(a, b, rounding);
}
float square_root(float a, Rounding rounding) {
  return square_root_as(a, rounding);
}
double add(double a, double b, Rounding rounding) {
  return add_as(a, b, rounding);
}
double multiply(double a, double b, Rounding rounding) {
  return multiply_as(a, b, rounding);
}
double multiply_add(double a, double b, double c, Rounding rounding) {
  return multiply_add_as(a, b, c, rounding);
}
double divide(double a, double b, Rounding rounding) {
  return divide_as(a, b, rounding);
}
double square_root(double a, Rounding rounding) {
  return square_root_as(a, rounding);
}

double multiply_add_to_odd(double a, double b, double c) {
  const double product = a * b;  // exact: 11 bits by 11 bits
  const double below = add(product, c, Rounding::zero);
  if (!std::isfinite(below) || add(product, c, Rounding::down) == add(product, c, Rounding::up)) return product + c;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(below) | 1);
}

std::uint64_t round_into(Format format, bool negative, std::uint64_t magnitude, int exponent, Rounding rounding) {
  const std::uint64_t sign = negative ? format.sign() : 0;
  if (magnitude == 0) return sign;
  // The value is below 2^above; one unit of the result's last place is 2^unit.
  const int above = static_cast<int>(std::bit_width(magnitude)) + exponent;
  const int smallest_normal = 1 - format.bias();
  const int unit = std::max(above - 1, smallest_normal) - format.fraction_bits;

  const int drop = unit - exponent;
  std::uint64_t units = 0;
  bool inexact = false, at_least_half = false, exactly_half = false;
  if (drop <= 0) {
    units = magnitude << -drop;
  } else if (drop > 64) {
    inexact = true;
  } else {
    units = drop == 64 ? 0 : magnitude >> drop;
    const std::uint64_t rest = drop == 64 ? magnitude : magnitude & ((std::uint64_t{1} << drop) - 1);
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    inexact = rest != 0;
    at_least_half = rest >= half;
    exactly_half = rest == half;
  }
  const bool away = (rounding == Rounding::up && !negative) || (rounding == Rounding::down && negative);
  const bool nearest = rounding == Rounding::nearest || rounding == Rounding::none;
  if (inexact && (away || (nearest && at_least_half && !(exactly_half && (units & 1) == 0)))) ++units;

  // Adding units to the biased exponent carries into it where they have grown by a bit; a subnormal number has the
  // exponent field 0 and no hidden bit, which is what the units themselves are.
  std::uint64_t bits = units;
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  if (units >= hidden) {
    const int field = unit + format.fraction_bits + format.bias();
    bits = (static_cast<std::uint64_t>(field) << format.fraction_bits) + (units - hidden);
  }
  if (bits >= format.infinity()) bits = nearest || away ? format.infinity() : format.infinity() - 1;
  return sign | bits;
}

std::uint64_t round_into(Format format, double value, Rounding rounding) {
  const bool negative = std::signbit(value);
  if (std::isinf(value)) return (negative ? format.sign() : 0) | format.infinity();
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return round_into(format, negative, static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53, rounding);
}

double number_of(Format format, std::uint64_t bits) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int field = static_cast<int>((bits & format.infinity()) >> format.fraction_bits);
  const bool negative = (bits & format.sign()) != 0;
  double magnitude = 0;
  if (field == (1 << format.exponent_bits) - 1) {
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (field == 0) {
    magnitude = std::ldexp(static_cast<double>(fraction), 1 - format.bias() - format.fraction_bits);
  } else {
    const std::uint64_t whole = fraction | std::uint64_t{1} << format.fraction_bits;
    magnitude = std::ldexp(static_cast<double>(whole), field - format.bias() - format.fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

}  // namespace cudalabs::reference
