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

/// What arithmetic yields for NaN. x86 propagates whichever operand comes first in the instruction the compiler chose,
/// so results would differ between instruction sets; a GPU yields this one.
template <class T>
constexpr Bits<T> kCanonicalNaN = sizeof(T) == 8 ? static_cast<Bits<T>>(0x7FF8'0000'0000'0000) : Bits<T>{0x7FFF'FFFF};

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

/// Subnormal numbers become zero of the same sign.
template <class T>
constexpr T flushed(T value) {
  const T magnitude = from_bits<T>(to_bits(value) & ~kSignBit<T>);
  return magnitude < std::numeric_limits<T>::min() ? from_bits<T>(to_bits(value) & kSignBit<T>) : value;
}

/// Into [0, 1]; NaN becomes +0.
template <class T>
constexpr T saturated(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

}  // namespace cudalabs::vgpu::exec
