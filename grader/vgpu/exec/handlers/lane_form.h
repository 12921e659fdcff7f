// Instructions that compute each lane's result out of that lane's operands, form by form: how the instruction is
// spelled, and a function of one lane. The function's types say what the operands are and how wide.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

/// An operand that must be a number below 256 in the instruction's text.
struct TextByte {
  std::uint32_t value;
};

/// Two numbers of half precision in a register, the first in its low half.
struct HalfPair {
  std::uint32_t bits;
};

struct LaneForm {
  struct Operand {
    ptx::Type type = ptx::Type::none;  // pred: the carry flag, which the text does not name
    bool in_text = false;              // a TextByte
  };

  ptx::Opcode opcode;
  std::string_view pattern;  // opcode and suffixes; `*` stands for the name of `type`, `#` for its number of bits
  ptx::Type type;
  Handler handler;   // d = result; a, b, c and the row at `immediate` = operands
  ptx::Type result;  // pred: a predicate
  bool carries_out;  // the carry flag is a second result
  std::size_t count;
  std::array<Operand, 4> operands;
};

/// The form that the instruction's opcode and suffixes spell; null: none.
const LaneForm* find_lane_form(const ptx::Instruction& instruction);

/// Every form by how it is spelled: "mul24.lo.u32".
const std::map<std::string, const LaneForm*, std::less<>>& lane_forms_by_name();

// --- How the lists of forms are written ---------------------------------------------------------------------------

namespace lane_forms {

using Word = std::uint32_t;

template <class T>
consteval ptx::Type type_of() {
  using ptx::Type;
  if constexpr (std::is_same_v<T, Bit>) {
    return Type::pred;
  } else if constexpr (std::is_same_v<T, HalfPair>) {
    return Type::f16x2;
  } else if constexpr (std::is_same_v<T, TextByte>) {
    return Type::u32;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 8 ? Type::f64 : Type::f32;
  } else if constexpr (std::is_signed_v<T>) {
    return sizeof(T) == 8 ? Type::s64 : sizeof(T) == 4 ? Type::s32 : Type::s16;
  } else {
    static_assert(std::is_unsigned_v<T> && sizeof(T) >= 2);
    return sizeof(T) == 8 ? Type::u64 : sizeof(T) == 4 ? Type::u32 : Type::u16;
  }
}

template <class D>
struct ResultOf {
  static constexpr ptx::Type kType = type_of<D>();
  static constexpr bool kCarries = false;
};
template <class D>
struct ResultOf<WithBit<D>> {
  static constexpr ptx::Type kType = type_of<D>();
  static constexpr bool kCarries = true;
};

/// A lambda without captures, of a type or of none, as a function.
template <class F, class Signature, class... T>
struct Function;
template <class F, class D, class... Operands, class... T>
struct Function<F, D (F::*)(Operands...) const, T...> {
  static D call(Operands... operands) {
    if constexpr (sizeof...(T) == 0) {
      return F{}(operands...);
    } else {
      return F{}.template operator()<T...>(operands...);
    }
  }

  static consteval LaneForm form(std::string_view pattern, ptx::Type type) {
    const ptx::Opcode opcode = ptx::opcode_from_name(pattern.substr(0, pattern.find('.')));
    if (opcode == ptx::Opcode::unknown) throw std::invalid_argument("the instruction set has no such opcode");
    return {opcode,
            pattern,
            type,
            &LaneCall<&call>::run,
            ResultOf<D>::kType,
            ResultOf<D>::kCarries,
            sizeof...(Operands),
            {LaneForm::Operand{type_of<Operands>(), std::is_same_v<Operands, TextByte>}...}};
  }
};

/// One form.
template <class F>
consteval std::array<LaneForm, 1> form(std::string_view pattern, F) {
  return {Function<F, decltype(&F::operator())>::form(pattern, ptx::Type::none)};
}

/// One for each of the types.
template <class... T, class F>
consteval std::array<LaneForm, sizeof...(T)> forms(std::string_view pattern, F) {
  return {Function<F, decltype(&F::template operator()<T>), T>::form(pattern, type_of<T>())...};
}
template <class F>
consteval auto integers(std::string_view pattern, F f) {
  return forms<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(pattern, f);
}
template <class F>
consteval auto words(std::string_view pattern, F f) {
  return forms<std::uint32_t, std::int32_t>(pattern, f);
}
template <class F>
consteval auto words_and_doubles(std::string_view pattern, F f) {
  return forms<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(pattern, f);
}
template <class F>
consteval auto bits(std::string_view pattern, F f) {
  return forms<std::uint32_t, std::uint64_t>(pattern, f);
}
template <class F>
consteval auto reals(std::string_view pattern, F f) {
  return forms<float, double>(pattern, f);
}

template <std::size_t... kSizes>
consteval auto list(const std::array<LaneForm, kSizes>&... parts) {
  std::array<LaneForm, (kSizes + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& part) {
    for (const LaneForm& one : part) all[at++] = one;
  };
  (add(parts), ...);
  return all;
}

}  // namespace lane_forms
}  // namespace cudalabs::vgpu::exec
