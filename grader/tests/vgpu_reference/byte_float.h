// Floating-point numbers of a byte, from what their formats' definitions say.
#pragma once

#include <cstdint>

namespace cudalabs::reference {

/// A sign, as many exponent and fraction bits, and the largest code that stands for a finite number.
struct ByteFormat {
  int exponent_bits = 0;
  int fraction_bits = 0;
  std::uint64_t most = 0;
  bool has_infinity = false;
};
constexpr ByteFormat kE4M3{4, 3, 0x7E, false};
constexpr ByteFormat kE5M2{5, 2, 0x7B, true};

/// The finite number that a code without sign stands for.
double number_of(const ByteFormat& format, std::uint64_t code);

// What `cvt` makes of one number. `relu`: of what is negative it makes zero.
std::uint64_t byte_of(const ByteFormat& format, double value, bool relu);
std::uint64_t half_of(const ByteFormat& format, std::uint64_t code, bool relu);

}  // namespace cudalabs::reference
