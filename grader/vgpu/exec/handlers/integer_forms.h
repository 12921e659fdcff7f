// Integer arithmetic done one lane at a time: divisions, high halves of products, carries
// (PTX ISA: "Integer Arithmetic Instructions", "Extended-Precision Integer Arithmetic Instructions").
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "vgpu/exec/handlers/lane_form.h"

namespace cudalabs::vgpu::exec::lane_forms {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

inline std::int32_t clamped_to_word(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
}

template <class T>
T high_of_product(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
  }
}
template <class T>
T wrapping_sum(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)));
}

/// 24-bit multiplication: the operands' low 24 bits, extended as the type says.
template <class T>
std::int64_t product24(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    const auto extend = [](T value) {
      return static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8) >> 8);
    };
    return extend(a) * extend(b);
  } else {
    return static_cast<std::int64_t>(std::uint64_t{a & 0xFF'FFFFu} * std::uint64_t{b & 0xFF'FFFFu});
  }
}

template <class T>
WithBit<T> sum_with_carry(T a, T b, bool carry) {
  const T partial = static_cast<T>(a + b);
  const T sum = static_cast<T>(partial + (carry ? 1 : 0));
  return {sum, partial < a || sum < partial};
}
/// The carry flag holds the borrow after a subtraction.
template <class T>
WithBit<T> difference_with_borrow(T a, T b, bool borrow) {
  const T partial = static_cast<T>(a - b);
  return {static_cast<T>(partial - (borrow ? 1 : 0)), a < b || (borrow && partial == 0)};
}
template <class T>
Unsigned<T> low_product(T a, T b) {
  return static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b);
}
template <class T>
Unsigned<T> high_product(T a, T b) {
  return static_cast<Unsigned<T>>(high_of_product<T>(a, b));
}

template <class A, class B>
std::uint32_t dot_product4(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (std::uint32_t i = 0; i < 32; i += 8) {
    c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> i)} * std::int32_t{static_cast<B>(b >> i)});
  }
  return c;
}
/// Two half words of `a` by two bytes of `b`, from bit `first` on.
template <class A, class B, std::uint32_t kFirst>
std::uint32_t dot_product2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (std::uint32_t i = 0; i < 2; ++i) {
    c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> (16 * i))} *
                                    std::int32_t{static_cast<B>(b >> (8 * i + kFirst))});
  }
  return c;
}

inline constexpr auto kIntegerForms = list(
    // Division by zero yields all ones, quotient and remainder, as on the device; the one overflow wraps.
    integers("div.*",
             []<class T>(T a, T b) -> T {
               if (b == 0) return static_cast<T>(~T{0});
               if constexpr (std::is_signed_v<T>) {
                 if (b == T{-1}) return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
               }
               return static_cast<T>(a / b);
             }),
    integers("rem.*",
             []<class T>(T a, T b) -> T {
               if (b == 0) return static_cast<T>(~T{0});
               if constexpr (std::is_signed_v<T>) {
                 if (b == T{-1}) return 0;
               }
               return static_cast<T>(a % b);
             }),
    integers("sad.*",
             []<class T>(T a, T b, T c) -> T {
               using U = Unsigned<T>;
               const U difference = a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a))
                                          : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
               return static_cast<T>(static_cast<U>(difference + static_cast<U>(c)));
             }),
    form("add.sat.s32",
         [](std::int32_t a, std::int32_t b) -> std::int32_t { return clamped_to_word(std::int64_t{a} + b); }),
    form("sub.sat.s32",
         [](std::int32_t a, std::int32_t b) -> std::int32_t { return clamped_to_word(std::int64_t{a} - b); }),
    forms<std::uint64_t, std::int64_t>("mul.hi.*", []<class T>(T a, T b) -> T { return high_of_product<T>(a, b); }),
    integers("mad.hi.*", []<class T>(T a, T b, T c) -> T { return wrapping_sum<T>(high_of_product<T>(a, b), c); }),
    form("mad.hi.sat.s32",
         [](std::int32_t a, std::int32_t b, std::int32_t c) -> std::int32_t {
           return clamped_to_word(std::int64_t{high_of_product<std::int32_t>(a, b)} + c);
         }),
    words("mul24.lo.*", []<class T>(T a, T b) -> T { return static_cast<T>(product24<T>(a, b)); }),
    words("mul24.hi.*", []<class T>(T a, T b) -> T { return static_cast<T>(product24<T>(a, b) >> 16); }),
    words("mad24.lo.*",
          []<class T>(T a, T b, T c) -> T { return wrapping_sum<T>(static_cast<T>(product24<T>(a, b)), c); }),
    words("mad24.hi.*",
          []<class T>(T a, T b, T c) -> T { return wrapping_sum<T>(static_cast<T>(product24<T>(a, b) >> 16), c); }),

    // Carries are those of the numbers without sign, whatever the type.
    words_and_doubles("add.cc.*",
                      []<class T>(Unsigned<T> a, Unsigned<T> b) -> WithBit<Unsigned<T>> {
                        return sum_with_carry<Unsigned<T>>(a, b, false);
                      }),
    words_and_doubles("addc.*",
                      []<class T>(Unsigned<T> a, Unsigned<T> b, Bit carry) -> Unsigned<T> {
                        return sum_with_carry<Unsigned<T>>(a, b, carry.value).value;
                      }),
    words_and_doubles("addc.cc.*",
                      []<class T>(Unsigned<T> a, Unsigned<T> b, Bit carry) -> WithBit<Unsigned<T>> {
                        return sum_with_carry<Unsigned<T>>(a, b, carry.value);
                      }),
    words_and_doubles("sub.cc.*",
                      []<class T>(Unsigned<T> a, Unsigned<T> b) -> WithBit<Unsigned<T>> {
                        return difference_with_borrow<Unsigned<T>>(a, b, false);
                      }),
    words_and_doubles("subc.*",
                      []<class T>(Unsigned<T> a, Unsigned<T> b, Bit borrow) -> Unsigned<T> {
                        return difference_with_borrow<Unsigned<T>>(a, b, borrow.value).value;
                      }),
    words_and_doubles("subc.cc.*",
                      []<class T>(Unsigned<T> a, Unsigned<T> b, Bit borrow) -> WithBit<Unsigned<T>> {
                        return difference_with_borrow<Unsigned<T>>(a, b, borrow.value);
                      }),
    words_and_doubles("mad.lo.cc.*",
                      []<class T>(T a, T b, Unsigned<T> c) -> WithBit<Unsigned<T>> {
                        return sum_with_carry<Unsigned<T>>(low_product<T>(a, b), c, false);
                      }),
    words_and_doubles("mad.hi.cc.*",
                      []<class T>(T a, T b, Unsigned<T> c) -> WithBit<Unsigned<T>> {
                        return sum_with_carry<Unsigned<T>>(high_product<T>(a, b), c, false);
                      }),
    words_and_doubles("madc.lo.*",
                      []<class T>(T a, T b, Unsigned<T> c, Bit carry) -> Unsigned<T> {
                        return sum_with_carry<Unsigned<T>>(low_product<T>(a, b), c, carry.value).value;
                      }),
    words_and_doubles("madc.hi.*",
                      []<class T>(T a, T b, Unsigned<T> c, Bit carry) -> Unsigned<T> {
                        return sum_with_carry<Unsigned<T>>(high_product<T>(a, b), c, carry.value).value;
                      }),
    words_and_doubles("madc.lo.cc.*",
                      []<class T>(T a, T b, Unsigned<T> c, Bit carry) -> WithBit<Unsigned<T>> {
                        return sum_with_carry<Unsigned<T>>(low_product<T>(a, b), c, carry.value);
                      }),
    words_and_doubles("madc.hi.cc.*",
                      []<class T>(T a, T b, Unsigned<T> c, Bit carry) -> WithBit<Unsigned<T>> {
                        return sum_with_carry<Unsigned<T>>(high_product<T>(a, b), c, carry.value);
                      }),

    form("dp4a.u32.u32",
         [](Word a, Word b, Word c) -> Word { return dot_product4<std::uint8_t, std::uint8_t>(a, b, c); }),
    form("dp4a.u32.s32",
         [](Word a, Word b, Word c) -> Word { return dot_product4<std::uint8_t, std::int8_t>(a, b, c); }),
    form("dp4a.s32.u32",
         [](Word a, Word b, Word c) -> Word { return dot_product4<std::int8_t, std::uint8_t>(a, b, c); }),
    form("dp4a.s32.s32",
         [](Word a, Word b, Word c) -> Word { return dot_product4<std::int8_t, std::int8_t>(a, b, c); }),
    form("dp2a.lo.u32.u32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::uint16_t, std::uint8_t, 0>(a, b, c); }),
    form("dp2a.lo.u32.s32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::uint16_t, std::int8_t, 0>(a, b, c); }),
    form("dp2a.lo.s32.u32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::int16_t, std::uint8_t, 0>(a, b, c); }),
    form("dp2a.lo.s32.s32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::int16_t, std::int8_t, 0>(a, b, c); }),
    form("dp2a.hi.u32.u32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::uint16_t, std::uint8_t, 16>(a, b, c); }),
    form("dp2a.hi.u32.s32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::uint16_t, std::int8_t, 16>(a, b, c); }),
    form("dp2a.hi.s32.u32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::int16_t, std::uint8_t, 16>(a, b, c); }),
    form("dp2a.hi.s32.s32",
         [](Word a, Word b, Word c) -> Word { return dot_product2<std::int16_t, std::int8_t, 16>(a, b, c); }));

}  // namespace cudalabs::vgpu::exec::lane_forms
