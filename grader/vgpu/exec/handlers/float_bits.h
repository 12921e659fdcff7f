// Floating-point numbers as bits: signs, canonical NaNs, flushing and saturation.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudalabs::vgpu::exec {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
constexpr Bits<T> kSignBit = Bits<T>{1} << (8 * sizeof(T) - 1);

/// What arithmetic in single precision yields for NaN, and what in double precision where no operand is one. x86
/// propagates whichever operand comes first in the instruction the compiler chose, so results would differ between
/// instruction sets.
template <class T>
constexpr Bits<T> kCanonicalNaN = sizeof(T) == 8 ? static_cast<Bits<T>>(0xFFF8'0000'0000'0000) : Bits<T>{0x7FFF'FFFF};

template <class T>
constexpr Bits<T> to_bits(T value) {
  return std::bit_cast<Bits<T>>(value);
}
template <class T>
constexpr T from_bits(Bits<T> bits) {
  return std::bit_cast<T>(bits);
}

template <class T>
constexpr T canonical(T value) {
  return value == value ? value : from_bits<T>(kCanonicalNaN<T>);
}

/// Arithmetic in double precision keeps an operand that is NaN, sign and all, but for the bit that makes it quiet.
constexpr double quiet(double nan) {
  return from_bits<double>(to_bits(nan) | 0x0008'0000'0000'0000);
}
/// Of several the second one is kept, else the third.
constexpr double nan_of(double a) {
  return a != a ? quiet(a) : from_bits<double>(kCanonicalNaN<double>);
}
constexpr double nan_of(double a, double b) {
  return b != b ? quiet(b) : nan_of(a);
}
constexpr double nan_of(double a, double b, double c) {
  return b != b ? quiet(b) : nan_of(a, c);
}

/// A result as the hardware has it, in either precision, where it may be NaN.
template <class... Operands>
constexpr double settled(double result, Operands... operands) {
  return result == result ? result : nan_of(operands...);
}
template <class... Operands>
constexpr float settled(float result, Operands...) {
  return canonical(result);
}

/// Subnormal numbers become zero of the same sign.
template <class T>
constexpr T flushed(T value) {
  const T magnitude = from_bits<T>(to_bits(value) & ~kSignBit<T>);
  return magnitude < std::numeric_limits<T>::min() ? from_bits<T>(to_bits(value) & kSignBit<T>) : value;
}

/// As many times as large, for flushed_product().
template <class T>
constexpr T scaled(T a) {
  return a * T{0x1p24F};
}
/// Products and quotients are flushed when they are subnormal before that costs them digits: one that only rounding to
/// a subnormal's last place makes the least normal number is flushed, too. `larger` is the result of such operands that
/// it is scaled().
template <class T>
constexpr T flushed_product(T result, T larger) {
  const T magnitude = from_bits<T>(to_bits(larger) & ~kSignBit<T>);
  return magnitude < scaled(std::numeric_limits<T>::min()) ? from_bits<T>(to_bits(result) & kSignBit<T>) : result;
}
/// The same for `result` = a / b, of which none is subnormal.
template <class T>
constexpr T flushed_quotient(T result, T a, T b) {
  const T dividend = from_bits<T>(to_bits(a) & ~kSignBit<T>), divisor = from_bits<T>(to_bits(b) & ~kSignBit<T>);
  return dividend < divisor * std::numeric_limits<T>::min() ? from_bits<T>(to_bits(result) & kSignBit<T>) : result;
}

/// Into [0, 1]; NaN becomes +0.
template <class T>
constexpr T saturated(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

}  // namespace cudalabs::vgpu::exec
