// Half precision and bfloat16 arithmetic, single and packed.
//
// Operands are widened to double, where sums and products of two are exact or rounded so far below the result's last
// bit that one more rounding is right; a fused multiply-add keeps the sign of what the double addition lost.
#include <cmath>

#include "vgpu/exec/handlers/half_bits.h"
#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Compare;
using ir::Opcode;
using ir::Type;

template <class F>
double in(std::uint16_t bits, bool flush) {
  const bool subnormal = (bits & F::kInfinity) == 0;
  return F::widened(flush && subnormal ? static_cast<std::uint16_t>(bits & 0x8000) : bits);
}

template <class F>
std::uint16_t out(double value, bool flush, bool saturate, int sticky = 0) {
  std::uint16_t bits = F::rounded(value, RoundTo::nearest_even, sticky);
  if (F::is_nan(bits)) return saturate ? 0 : F::kCanonical;
  if (flush && F::vanishes(value, sticky)) bits &= 0x8000;
  if (saturate) return F::rounded(saturated(F::widened(bits)), RoundTo::nearest_even);
  return bits;
}

// Modifiers, in MicroOp::extra.
constexpr std::uint32_t kFlushes = 1, kSaturates = 2, kPropagates = 4, kXorSign = 8, kRelu = 16;

template <class F, Opcode kOpcode>
std::uint16_t binary(std::uint16_t a, std::uint16_t b, std::uint32_t modifiers) {
  const bool flush = (modifiers & kFlushes) != 0;
  double x = in<F>(a, flush);
  double y = in<F>(b, flush);
  double result = 0;
  if constexpr (kOpcode == Opcode::add) {
    result = x + y;
  } else if constexpr (kOpcode == Opcode::sub) {
    result = x - y;
  } else if constexpr (kOpcode == Opcode::mul) {
    result = x * y;
  } else {
    const bool negative = ((a ^ b) & 0x8000) != 0;
    if ((modifiers & kXorSign) != 0) {
      x = std::fabs(x);
      y = std::fabs(y);
    }
    if (x != x || y != y) {
      result = (modifiers & kPropagates) != 0 ? x + y : (x != x ? y : x);
    } else if (x == y) {
      const bool minus = std::signbit(x) || std::signbit(y);
      const bool both = std::signbit(x) && std::signbit(y);
      result = std::copysign(x, (kOpcode == Opcode::min ? minus : both) ? -1.0 : 1.0);
    } else {
      result = (kOpcode == Opcode::min) == (x < y) ? x : y;
    }
    if ((modifiers & kXorSign) != 0) result = std::copysign(result, negative ? -1.0 : 1.0);
  }
  return out<F>(result, flush, (modifiers & kSaturates) != 0);
}

template <class F>
std::uint16_t fused(std::uint16_t a, std::uint16_t b, std::uint16_t c, std::uint32_t modifiers) {
  const bool flush = (modifiers & kFlushes) != 0;
  const double product = in<F>(a, flush) * in<F>(b, flush);  // exact: at most 22 bits
  const double addend = in<F>(c, flush);
  const double sum = product + addend;
  // What the addition lost (Knuth's two-sum), as a direction relative to the sum's sign.
  int sticky = 0;
  if (std::isfinite(sum)) {
    const double part = sum - product;
    const double lost = (product - (sum - part)) + (addend - part);
    if (lost != 0) sticky = std::signbit(lost) == std::signbit(sum) ? 1 : -1;
  }
  std::uint16_t result = out<F>(sum, flush, (modifiers & kSaturates) != 0, sticky);
  if ((modifiers & kRelu) != 0 && !F::is_nan(result) && (result & 0x8000) != 0) result = 0;
  return result;
}

template <class F, Opcode kOpcode>
std::uint16_t unary(std::uint16_t a, std::uint32_t modifiers) {
  const bool flush = (modifiers & kFlushes) != 0;
  if constexpr (kOpcode == Opcode::neg || kOpcode == Opcode::abs) {
    if (F::is_nan(a)) return F::kCanonical;  // an addition does it, and makes the NaN that additions make
    if (flush && (a & F::kInfinity) == 0) a &= 0x8000;
    return static_cast<std::uint16_t>(kOpcode == Opcode::neg ? a ^ 0x8000 : a & 0x7FFF);
  } else {
    const double x = in<F>(a, flush);
    return out<F>(kOpcode == Opcode::ex2 ? std::exp2(x) : std::tanh(x), flush, false);
  }
}

template <class F>
bool compare(std::uint16_t a, std::uint16_t b, std::uint32_t relation, bool flush) {
  const double x = in<F>(a, flush);
  const double y = in<F>(b, flush);
  const bool unordered = x != x || y != y;
  switch (static_cast<Compare>(relation)) {
    case Compare::eq:
      return x == y;
    case Compare::ne:
      return !unordered && x != y;
    case Compare::lt:
      return x < y;
    case Compare::le:
      return x <= y;
    case Compare::gt:
      return x > y;
    case Compare::ge:
      return x >= y;
    case Compare::equ:
      return unordered || x == y;
    case Compare::neu:
      return x != y;
    case Compare::ltu:
      return unordered || x < y;
    case Compare::leu:
      return unordered || x <= y;
    case Compare::gtu:
      return unordered || x > y;
    case Compare::geu:
      return unordered || x >= y;
    case Compare::num:
      return !unordered;
    default:
      return unordered;
  }
}

std::uint16_t low(std::uint32_t pair) {
  return static_cast<std::uint16_t>(pair);
}
std::uint16_t high(std::uint32_t pair) {
  return static_cast<std::uint16_t>(pair >> 16);
}
std::uint32_t joined(std::uint16_t low_half, std::uint16_t high_half) {
  return low_half | std::uint32_t{high_half} << 16;
}

template <class F, Opcode kOpcode>
std::uint16_t binary_one(std::uint16_t a, std::uint16_t b, const MicroOp& op) {
  return binary<F, kOpcode>(a, b, op.extra);
}
template <class F, Opcode kOpcode>
std::uint32_t binary_two(std::uint32_t a, std::uint32_t b, const MicroOp& op) {
  return joined(binary<F, kOpcode>(low(a), low(b), op.extra), binary<F, kOpcode>(high(a), high(b), op.extra));
}
template <class F>
std::uint16_t fused_one(std::uint16_t a, std::uint16_t b, std::uint16_t c, const MicroOp& op) {
  return fused<F>(a, b, c, op.extra);
}
template <class F>
std::uint32_t fused_two(std::uint32_t a, std::uint32_t b, std::uint32_t c, const MicroOp& op) {
  return joined(fused<F>(low(a), low(b), low(c), op.extra), fused<F>(high(a), high(b), high(c), op.extra));
}
template <class F, Opcode kOpcode>
std::uint16_t unary_one(std::uint16_t a, const MicroOp& op) {
  return unary<F, kOpcode>(a, op.extra);
}
template <class F, Opcode kOpcode>
std::uint32_t unary_two(std::uint32_t a, const MicroOp& op) {
  return joined(unary<F, kOpcode>(low(a), op.extra), unary<F, kOpcode>(high(a), op.extra));
}
template <class F, Compare kCompare, bool kFlush>
Bit compare_one(std::uint16_t a, std::uint16_t b) {
  return {compare<F>(a, b, static_cast<std::uint32_t>(kCompare), kFlush)};
}
template <class F, Compare kCompare, bool kFlush>
TwoBits compare_two(std::uint32_t a, std::uint32_t b) {
  return {compare<F>(low(a), low(b), static_cast<std::uint32_t>(kCompare), kFlush),
          compare<F>(high(a), high(b), static_cast<std::uint32_t>(kCompare), kFlush)};
}

template <class F, Opcode kOpcode>
Handler pick_binary(bool two, unsigned immediates) {
  return two ? lane_call<&binary_two<F, kOpcode>>(immediates) : lane_call<&binary_one<F, kOpcode>>(immediates);
}
template <class F, Opcode kOpcode>
Handler pick_unary(bool two, unsigned immediates) {
  return two ? lane_call<&unary_two<F, kOpcode>>(immediates) : lane_call<&unary_one<F, kOpcode>>(immediates);
}
template <class F, Compare kCompare>
Handler pick_compare(bool two, bool flush, unsigned immediates) {
  if (flush) {
    return two ? lane_call<&compare_two<F, kCompare, true>>(immediates)
               : lane_call<&compare_one<F, kCompare, true>>(immediates);
  }
  return two ? lane_call<&compare_two<F, kCompare, false>>(immediates)
             : lane_call<&compare_one<F, kCompare, false>>(immediates);
}

template <class F, std::size_t... kIndex>
Handler pick_comparison(const ir::Operation& operation, bool two, unsigned immediates, std::index_sequence<kIndex...>) {
  Handler handler = nullptr;
  (void)((static_cast<std::size_t>(operation.compare) == kIndex
              ? (handler = pick_compare<F, static_cast<Compare>(kIndex)>(two, operation.ftz, immediates), true)
              : false) ||
         ...);
  return handler;
}

template <class F>
Handler select_format(const ir::Operation& operation, bool two, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::add:
      return pick_binary<F, Opcode::add>(two, immediates);
    case Opcode::sub:
      return pick_binary<F, Opcode::sub>(two, immediates);
    case Opcode::mul:
      return pick_binary<F, Opcode::mul>(two, immediates);
    case Opcode::min:
      return pick_binary<F, Opcode::min>(two, immediates);
    case Opcode::max:
      return pick_binary<F, Opcode::max>(two, immediates);
    case Opcode::neg:
      return pick_unary<F, Opcode::neg>(two, immediates);
    case Opcode::abs:
      return pick_unary<F, Opcode::abs>(two, immediates);
    case Opcode::ex2:
      return pick_unary<F, Opcode::ex2>(two, immediates);
    case Opcode::tanh:
      return pick_unary<F, Opcode::tanh>(two, immediates);
    case Opcode::fma:
      return two ? lane_call<&fused_two<F>>(immediates) : lane_call<&fused_one<F>>(immediates);
    case Opcode::setp:
      return pick_comparison<F>(operation, two, immediates,
                                std::make_index_sequence<static_cast<std::size_t>(Compare::nan) + 1>{});
    default:
      return nullptr;
  }
}

}  // namespace

std::uint32_t half_modifiers(const ir::Operation& operation) {
  std::uint32_t modifiers = 0;
  if (operation.ftz) modifiers |= kFlushes;
  if (operation.saturate) modifiers |= kSaturates;
  if (operation.full) modifiers |= kPropagates;
  if (operation.flag) modifiers |= operation.opcode == Opcode::fma ? kRelu : kXorSign;
  return modifiers;
}

Handler select_half(const ir::Operation& operation, unsigned immediates) {
  switch (operation.type) {
    case Type::f16:
      return select_format<Half>(operation, false, immediates);
    case Type::f16x2:
      return select_format<Half>(operation, true, immediates);
    case Type::bf16:
      return select_format<Bfloat>(operation, false, immediates);
    case Type::bf16x2:
      return select_format<Bfloat>(operation, true, immediates);
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
