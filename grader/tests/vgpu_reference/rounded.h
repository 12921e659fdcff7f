// Floating-point arithmetic in all four rounding modes, and numbers rounded into any binary format.
#pragma once

#include <cstdint>

#include "operation.h"

namespace cudalabs::reference {

// Each is the exact result rounded once. Rounding::none means to nearest.
float add(float a, float b, Rounding rounding);
float multiply(float a, float b, Rounding rounding);
float multiply_add(float a, float b, float c, Rounding rounding);
float divide(float a, float b, Rounding rounding);
float square_root(float a, Rounding rounding);
double add(double a, double b, Rounding rounding);
double multiply(double a, double b, Rounding rounding);
double multiply_add(double a, double b, double c, Rounding rounding);
double divide(double a, double b, Rounding rounding);
double square_root(double a, Rounding rounding);

/// a * b + c of half-precision numbers, in double precision with an odd last bit where it is inexact: rounding that to
/// 51 bits or fewer gives the same as rounding the exact result.
double multiply_add_to_odd(double a, double b, double c);

/// A binary floating-point format of IEEE 754's kind.
struct Format {
  int exponent_bits = 0;
  int fraction_bits = 0;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
};
constexpr Format kHalf{5, 10};
constexpr Format kBrainHalf{8, 7};
constexpr Format kSingle{8, 23};
constexpr Format kDouble{11, 52};

/// The bits of ±magnitude · 2^exponent rounded into `format`; beyond its range infinity or the largest number, as the
/// rounding mode says.
std::uint64_t round_into(Format format, bool negative, std::uint64_t magnitude, int exponent, Rounding rounding);
/// The bits of a number that is not NaN, rounded into `format`.
std::uint64_t round_into(Format format, double value, Rounding rounding);
/// The number that bits of `format` stand for; exact.
double number_of(Format format, std::uint64_t bits);

}  // namespace cudalabs::reference
