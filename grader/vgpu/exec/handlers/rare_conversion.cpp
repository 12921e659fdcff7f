// Conversions done one lane at a time: to integers with any rounding, with saturation, to and from 16-bit formats.
#include <cmath>
#include <limits>
#include <type_traits>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/half_bits.h"
#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/exec/handlers/rounding_scope.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;
using ir::Rounding;
using ir::Type;

// Modifiers, in MicroOp::extra: the rounding in the low byte.
constexpr std::uint32_t kFlushes = 1 << 8, kSaturates = 1 << 9, kRelu = 1 << 10, kFinite = 1 << 11;

Rounding rounding_of(const MicroOp& op) {
  return static_cast<Rounding>(op.extra & 0xFF);
}

/// Eight-bit values sit in rows of 16 bits a lane; 16-bit floats are bits.
template <class T>
using Row = std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>, T>;

/// Tags for the 16-bit formats.
struct HalfValue {
  using Format = Half;
};
struct BfloatValue {
  using Format = Bfloat;
};
template <class T>
constexpr bool kIs16 = std::is_same_v<T, HalfValue> || std::is_same_v<T, BfloatValue>;
template <class T>
struct RowOf {
  using type = Row<T>;
};
template <>
struct RowOf<HalfValue> {
  using type = std::uint16_t;
};
template <>
struct RowOf<BfloatValue> {
  using type = std::uint16_t;
};

// To a whole number, still as a double: every value of f32 and of the 16-bit formats is one.
double whole(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::integer_nearest_even:
    case Rounding::nearest_even:
      return std::nearbyint(value);
    case Rounding::integer_down:
    case Rounding::down:
      return std::floor(value);
    case Rounding::integer_up:
    case Rounding::up:
      return std::ceil(value);
    default:
      return std::trunc(value);
  }
}

template <class T>
T clamped(double value, bool from_double) {
  if (value != value) {
    // PTX ISA, `cvt`: NaN becomes 0, but from f64, or to a 64-bit type, it becomes the number with only the top bit
    // set.
    if (!from_double && sizeof(T) < 8) return 0;
    return static_cast<T>(std::make_unsigned_t<T>{1} << (8 * sizeof(T) - 1));
  }
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::min());
  const double beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);  // first number above the range
  if (value <= kLow) return std::numeric_limits<T>::min();
  if (value >= beyond) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

RoundTo rounding_to(Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return RoundTo::zero;
    case Rounding::down:
      return RoundTo::down;
    case Rounding::up:
      return RoundTo::up;
    case Rounding::nearest_away:
      return RoundTo::nearest_away;
    default:
      return RoundTo::nearest_even;
  }
}

// A conversion by the processor, rounded as asked for.
template <class D, class S>
D rounded_by_processor(S value, Rounding rounding) {
  const volatile S from = value;
  const RoundingScope scope(rounding);
  const volatile D to = static_cast<D>(from);
  return to;
}

/// The 16-bit number after `.relu` and `.satfinite`: not negative, not infinite. NaN stays NaN.
template <class F>
std::uint16_t limited(std::uint16_t bits, const MicroOp& op) {
  if (F::is_nan(bits)) return bits;
  if ((op.extra & kRelu) != 0 && (bits & 0x8000) != 0) return 0;
  if ((op.extra & kFinite) != 0 && (bits & 0x7FFF) == F::kInfinity) return (bits & 0x8000) | F::kLargest;
  return bits;
}

bool is_integer_rounding(Rounding rounding) {
  return rounding >= Rounding::integer_nearest_even;
}

/// What a conversion between floating-point types makes of a NaN, `value` if it is widened. One from or to double
/// precision keeps the sign and the upper bits, and makes it quiet; what is only moved, or gets zeros behind its bits,
/// stays what it is; all others make one NaN.
template <class D, class S>
typename RowOf<D>::type converted_nan(typename RowOf<S>::type a, double value, bool rounds, bool flush) {
  if constexpr (std::is_same_v<S, double>) {
    if constexpr (kIs16<D>) {
      return static_cast<std::uint16_t>(to_bits(value) >> 48 & 0x8000) | D::Format::kInfinity |
             static_cast<std::uint16_t>(to_bits(quiet(value)) >> D::Format::kToDouble &
                                        (D::Format::kInfinity ^ 0x7FFF));
    } else if constexpr (std::is_same_v<D, float>) {
      return static_cast<float>(value);
    } else {
      return rounds ? quiet(value) : a;
    }
  } else if constexpr (std::is_same_v<D, double>) {
    return flush && std::is_same_v<S, float> ? static_cast<double>(from_bits<float>(kCanonicalNaN<float>)) : value;
  } else if constexpr (kIs16<D>) {
    return D::Format::kCanonical;
  } else if constexpr (std::is_same_v<S, float>) {
    return rounds || flush ? canonical(a) : a;
  } else {
    return std::is_same_v<S, BfloatValue> && !flush ? from_bits<float>(std::uint32_t{a} << 16)
                                                    : from_bits<float>(kCanonicalNaN<float>);
  }
}

template <class D, class S>
typename RowOf<D>::type convert(typename RowOf<S>::type a, const MicroOp& op) {
  using Result = typename RowOf<D>::type;
  const Rounding rounding = rounding_of(op);
  const bool flush = (op.extra & kFlushes) != 0;
  const bool saturate = (op.extra & kSaturates) != 0;
  constexpr bool kFromInteger = !kIs16<S> && std::is_integral_v<S>;
  constexpr bool kToInteger = !kIs16<D> && std::is_integral_v<D>;
  if constexpr (kFromInteger && kToInteger) {
    const S value = static_cast<S>(a);
    if (!saturate) return static_cast<Result>(static_cast<D>(value));
    if (std::cmp_less(value, std::numeric_limits<D>::min())) return static_cast<Result>(std::numeric_limits<D>::min());
    if (std::cmp_greater(value, std::numeric_limits<D>::max()))
      return static_cast<Result>(std::numeric_limits<D>::max());
    return static_cast<Result>(static_cast<D>(value));
  } else if constexpr (kFromInteger) {
    const S value = static_cast<S>(a);
    if constexpr (kIs16<D>) {
      // Through a double with the lost bits remembered: 64-bit integers may not fit.
      const double near = rounded_by_processor<double, S>(value, Rounding::zero);
      const bool exact = sizeof(S) < 8 || static_cast<S>(near) == value;
      const std::uint16_t bits = D::Format::rounded(near, rounding_to(rounding), exact ? 0 : 1);
      return saturate ? D::Format::rounded(saturated(D::Format::widened(bits)), RoundTo::nearest_even) : bits;
    } else {
      D result = rounded_by_processor<D, S>(value, rounding);
      if (saturate) result = saturated(result);
      return result;
    }
  } else {
    double value = 0;
    if constexpr (kIs16<S>) {
      value = S::Format::widened(a);
    } else {
      // PTX ISA: `.ftz` makes zeros of subnormal single-precision operands. On their way to f16 a GPU does not.
      constexpr bool kFlushing = std::is_same_v<S, float> && !std::is_same_v<D, HalfValue>;
      value = static_cast<double>(flush && kFlushing ? flushed(a) : a);
    }
    if constexpr (kToInteger) {
      return static_cast<Result>(clamped<D>(whole(value, rounding), std::is_same_v<S, double>));
    } else {
      if (value != value && !saturate) return converted_nan<D, S>(a, value, is_integer_rounding(rounding), flush);
      if (is_integer_rounding(rounding)) value = std::copysign(whole(value, rounding), value);
      if (saturate) value = saturated(value);
      if constexpr (kIs16<D>) {
        return limited<typename D::Format>(D::Format::rounded(value, rounding_to(rounding)), op);
      } else if constexpr (std::is_same_v<D, float>) {
        float result = is_integer_rounding(rounding) ? static_cast<float>(value)
                                                     : rounded_by_processor<float, double>(value, rounding);
        if (flush) result = flushed(result);
        return result;
      } else {
        return value;
      }
    }
  }
}

template <class D>
Handler pick_source(Type from, unsigned immediates) {
  switch (from) {
    case Type::u8:
      return lane_call<&convert<D, std::uint8_t>>(immediates);
    case Type::s8:
      return lane_call<&convert<D, std::int8_t>>(immediates);
    case Type::u16:
      return lane_call<&convert<D, std::uint16_t>>(immediates);
    case Type::s16:
      return lane_call<&convert<D, std::int16_t>>(immediates);
    case Type::u32:
      return lane_call<&convert<D, std::uint32_t>>(immediates);
    case Type::s32:
      return lane_call<&convert<D, std::int32_t>>(immediates);
    case Type::u64:
      return lane_call<&convert<D, std::uint64_t>>(immediates);
    case Type::s64:
      return lane_call<&convert<D, std::int64_t>>(immediates);
    case Type::f16:
      return lane_call<&convert<D, HalfValue>>(immediates);
    case Type::bf16:
      return lane_call<&convert<D, BfloatValue>>(immediates);
    case Type::f32:
      return lane_call<&convert<D, float>>(immediates);
    case Type::f64:
      return lane_call<&convert<D, double>>(immediates);
    default:
      return nullptr;
  }
}

Handler pick(Type to, Type from, unsigned immediates) {
  switch (to) {
    case Type::u8:
      return pick_source<std::uint8_t>(from, immediates);
    case Type::s8:
      return pick_source<std::int8_t>(from, immediates);
    case Type::u16:
      return pick_source<std::uint16_t>(from, immediates);
    case Type::s16:
      return pick_source<std::int16_t>(from, immediates);
    case Type::u32:
      return pick_source<std::uint32_t>(from, immediates);
    case Type::s32:
      return pick_source<std::int32_t>(from, immediates);
    case Type::u64:
      return pick_source<std::uint64_t>(from, immediates);
    case Type::s64:
      return pick_source<std::int64_t>(from, immediates);
    case Type::f16:
      return pick_source<HalfValue>(from, immediates);
    case Type::bf16:
      return pick_source<BfloatValue>(from, immediates);
    case Type::f32:
      return pick_source<float>(from, immediates);
    case Type::f64:
      return pick_source<double>(from, immediates);
    default:
      return nullptr;
  }
}

// Two floats into one register; the first becomes the upper half.
template <class F>
std::uint32_t pack_floats(float a, float b, const MicroOp& op) {
  const auto narrow = [&](float value) {
    return limited<F>(F::rounded(static_cast<double>(value), rounding_to(rounding_of(op))), op);
  };
  return std::uint32_t{narrow(a)} << 16 | narrow(b);
}

// Two integers, saturated, into the low part of a register; c, if given, moves up.
template <class T, bool kThird>
std::uint32_t pack_integers(std::int32_t a, std::int32_t b, std::uint32_t c) {
  const auto narrow = [](std::int32_t value) {
    const auto low = static_cast<std::int64_t>(std::numeric_limits<T>::min());
    const auto high = static_cast<std::int64_t>(std::numeric_limits<T>::max());
    const std::int64_t clamped_value = std::min(std::max(static_cast<std::int64_t>(value), low), high);
    return static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<T>>(clamped_value));
  };
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  const std::uint32_t pair = narrow(a) << kBits | narrow(b);
  return kThird ? c << (2 * kBits) | pair : pair;
}
template <class T>
std::uint32_t pack_two(std::int32_t a, std::int32_t b) {
  return pack_integers<T, false>(a, b, 0);
}
template <class T>
std::uint32_t pack_three(std::int32_t a, std::int32_t b, std::uint32_t c) {
  return pack_integers<T, true>(a, b, c);
}

Handler pick_pack(const ir::Operation& operation, unsigned immediates) {
  const bool third = operation.uses.size() == 3;
  switch (operation.type) {
    case Type::f16x2:
      return lane_call<&pack_floats<Half>>(immediates);
    case Type::bf16x2:
      return lane_call<&pack_floats<Bfloat>>(immediates);
    case Type::u16:
      return third ? nullptr : lane_call<&pack_two<std::uint16_t>>(immediates);
    case Type::s16:
      return third ? nullptr : lane_call<&pack_two<std::int16_t>>(immediates);
    case Type::u8:
      return third ? lane_call<&pack_three<std::uint8_t>>(immediates) : nullptr;
    case Type::s8:
      return third ? lane_call<&pack_three<std::int8_t>>(immediates) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

std::uint32_t conversion_modifiers(const ir::Operation& operation) {
  std::uint32_t modifiers = static_cast<std::uint32_t>(operation.rounding);
  if (operation.ftz) modifiers |= kFlushes;
  if (operation.saturate) modifiers |= kSaturates;
  if (operation.flag) modifiers |= kRelu;
  if (operation.detail == ir::kFinite) modifiers |= kFinite;
  return modifiers;
}

Handler select_rare_conversion(const ir::Operation& operation, unsigned immediates) {
  if (operation.opcode == Opcode::cvt_pack) return pick_pack(operation, immediates);
  if (operation.opcode != Opcode::cvt) return nullptr;
  return pick(operation.type, operation.source_type, immediates);
}

}  // namespace cudalabs::vgpu::exec
