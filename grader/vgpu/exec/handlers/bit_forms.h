// Operations on bits done one lane at a time: counts, bit fields, permutations, funnel shifts, look-up tables
// (PTX ISA: "Integer Arithmetic Instructions", "Logic and Shift Instructions", "prmt").
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "vgpu/exec/handlers/lane_form.h"

namespace cudalabs::vgpu::exec::lane_forms {

template <class T>
constexpr std::uint32_t kBits = 8 * sizeof(T);
constexpr std::uint32_t kNoBit = 0xFFFF'FFFF;

/// The most significant bit that is not a sign bit.
template <class T>
std::uint32_t find_bit(T a) {
  const auto bits = static_cast<std::make_unsigned_t<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
  return bits == 0 ? kNoBit : kBits<T> - 1 - static_cast<std::uint32_t>(std::countl_zero(bits));
}

/// What counts of a bit field's position or length: its low eight bits, as the PTX ISA has it. The 64-bit forms, which
/// no GPU has as one instruction, do not cut it off.
template <class T>
std::uint32_t counted(std::uint32_t position_or_length) {
  return sizeof(T) == 4 ? position_or_length & 0xFF : position_or_length;
}
template <class T>
T extract_field(T a, std::uint32_t position, std::uint32_t length) {
  using U = std::make_unsigned_t<T>;
  const std::uint32_t at = std::min(counted<T>(position), kBits<T>);
  const std::uint32_t count = std::min(counted<T>(length), kBits<T>);
  if (count == 0) return 0;
  const auto bits = static_cast<U>(a);
  const std::uint32_t last = std::min(at + count - 1, kBits<T> - 1);
  const bool sign = std::is_signed_v<T> && (bits >> last & 1) != 0;
  U result = at < kBits<T> ? static_cast<U>(bits >> at) : U{0};
  const std::uint32_t held = at < kBits<T> ? std::min(count, kBits<T> - at) : 0;  // the others are copies of the sign
  if (held < kBits<T>) {
    const U above = static_cast<U>(~U{0}) << held;
    result = sign ? result | above : result & ~above;
  }
  return static_cast<T>(result);
}
template <class T>
T insert_field(T a, T b, std::uint32_t position, std::uint32_t length) {
  const std::uint32_t at = counted<T>(position);
  const std::uint32_t count = counted<T>(length);
  if (at >= kBits<T> || count == 0) return b;
  const T ones = static_cast<T>(~T{0}) >> (kBits<T> - std::min(count, kBits<T>));
  return static_cast<T>((b & ~(ones << at)) | ((a & ones) << at));
}

/// `count` ones from bit `at` on.
inline std::uint32_t mask_of_bits(std::uint32_t at, std::uint32_t count) {
  const std::uint64_t ones = count >= 32 ? 0xFFFF'FFFFull : (1ull << count) - 1;
  return at >= 32 ? 0 : static_cast<std::uint32_t>(ones << at);
}
/// The low bits of a, extended as its type says.
template <class T>
T extend_from(T a, std::uint32_t bits) {
  if (bits >= 32) return a;
  if (bits == 0) return 0;
  const auto shifted = static_cast<T>(static_cast<std::uint32_t>(a) << (32 - bits));
  return static_cast<T>(shifted >> (32 - bits));
}

/// The offset-th set (or, backwards, previous) bit from `base` on. For the offset whose negative is none a GPU says 0.
inline std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  if (offset == std::numeric_limits<std::int32_t>::min()) return 0;
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : kNoBit;
  const std::int64_t step = offset > 0 ? 1 : -1;
  std::int64_t left = step * offset;
  for (std::int64_t at = base; at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
  }
  return kNoBit;
}

/// Four of the eight bytes of b and a: byte i of the result is byte from(i, the selector's low bits).
template <class From>
std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t selector, From from) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (from(i, selector & 3) & 7)) & 0xFF);
    result |= byte << (8 * i);
  }
  return result;
}
/// By one selector of four bits for each byte; its highest bit asks for eight copies of the byte's sign.
inline std::uint32_t permuted_freely(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t selector = selectors >> (4 * i) & 0xF;
    auto byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7)) & 0xFF);
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  return result;
}

inline std::uint64_t both_words(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}
inline std::uint32_t upper_word(std::uint64_t both) {
  return static_cast<std::uint32_t>(both >> 32);
}

inline constexpr auto kBitForms = list(
    bits("popc.b#", []<class T>(T a) -> Word { return static_cast<Word>(std::popcount(a)); }),
    bits("clz.b#", []<class T>(T a) -> Word { return static_cast<Word>(std::countl_zero(a)); }),
    bits("brev.b#",
         []<class T>(T a) -> T {
           T result = 0;
           for (std::uint32_t i = 0; i < kBits<T>; ++i) result |= (a >> i & 1) << (kBits<T> - 1 - i);
           return result;
         }),
    words_and_doubles("bfind.*", []<class T>(T a) -> Word { return find_bit<T>(a); }),
    words_and_doubles("bfind.shiftamt.*",
                      []<class T>(T a) -> Word {
                        const Word bit = find_bit<T>(a);
                        return bit == kNoBit ? kNoBit : kBits<T> - 1 - bit;
                      }),
    words_and_doubles(
        "bfe.*", []<class T>(T a, Word position, Word length) -> T { return extract_field<T>(a, position, length); }),
    bits("bfi.b#",
         []<class T>(T a, T b, Word position, Word length) -> T { return insert_field<T>(a, b, position, length); }),
    form("bmsk.clamp.b32", [](Word at, Word count) -> Word { return mask_of_bits(at, count); }),
    form("bmsk.wrap.b32", [](Word at, Word count) -> Word { return mask_of_bits(at & 31, count & 31); }),
    words("szext.clamp.*", []<class T>(T a, Word length) -> T { return extend_from<T>(a, length); }),
    words("szext.wrap.*", []<class T>(T a, Word length) -> T { return extend_from<T>(a, length & 31); }),
    form("fns.b32", [](Word mask, Word base, std::int32_t offset) -> Word { return find_nth_set(mask, base, offset); }),

    form("prmt.b32", [](Word a, Word b, Word c) -> Word { return permuted_freely(a, b, c); }),
    form("prmt.b32.f4e",
         [](Word a, Word b, Word c) -> Word { return permuted(a, b, c, [](Word i, Word s) { return s + i; }); }),
    form("prmt.b32.b4e",
         [](Word a, Word b, Word c) -> Word { return permuted(a, b, c, [](Word i, Word s) { return s - i; }); }),
    form("prmt.b32.rc8",
         [](Word a, Word b, Word c) -> Word { return permuted(a, b, c, [](Word, Word s) { return s; }); }),
    form("prmt.b32.ecl",
         [](Word a, Word b, Word c) -> Word {
           return permuted(a, b, c, [](Word i, Word s) { return std::max(i, s); });
         }),
    form("prmt.b32.ecr",
         [](Word a, Word b, Word c) -> Word {
           return permuted(a, b, c, [](Word i, Word s) { return std::min(i, s); });
         }),
    form("prmt.b32.rc16",
         [](Word a, Word b, Word c) -> Word {
           return permuted(a, b, c, [](Word i, Word s) { return (i & 1) + 2 * (s & 1); });
         }),

    form("shf.l.clamp.b32",
         [](Word a, Word b, Word c) -> Word { return c < 32 ? upper_word(both_words(a, b) << c) : a; }),
    form("shf.l.wrap.b32", [](Word a, Word b, Word c) -> Word { return upper_word(both_words(a, b) << (c & 31)); }),
    form("shf.r.clamp.b32",
         [](Word a, Word b, Word c) -> Word { return static_cast<Word>(both_words(a, b) >> std::min(c, 32u)); }),
    form("shf.r.wrap.b32",
         [](Word a, Word b, Word c) -> Word { return static_cast<Word>(both_words(a, b) >> (c & 31)); }),

    form("lop3.b32", [](Word a, Word b, Word c, TextByte table) -> Word {
      Word result = 0;
      for (Word row = 0; row < 8; ++row) {
        if ((table.value >> row & 1) == 0) continue;
        result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
      }
      return result;
    }));

}  // namespace cudalabs::vgpu::exec::lane_forms
