// Floating-point operations done one lane at a time: directed rounding, transcendental functions, tests.
//
// The `.approx` instructions are computed in double precision and rounded once, which is at least as close as the
// device's tables are; their last bits may differ from the device's.
#include <cmath>
#include <limits>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/exec/handlers/rounding_scope.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;
using ir::Rounding;
using ir::Type;

template <class T, bool kFlush, bool kSaturate>
T finished(T value) {
  if constexpr (kFlush) value = flushed(value);
  value = canonical(value);
  if constexpr (kSaturate) value = saturated(value);
  return value;
}
template <class T, bool kFlush>
T taken(T value) {
  if constexpr (kFlush) return flushed(value);
  return value;
}

template <Opcode kOpcode, class T, Rounding kRounding, bool kFlush, bool kSaturate>
T directed_binary(T a, T b) {
  const volatile T x = taken<T, kFlush>(a);
  const volatile T y = taken<T, kFlush>(b);
  volatile T result;
  {
    const RoundingScope scope(kRounding);
    if constexpr (kOpcode == Opcode::add) {
      result = x + y;
    } else if constexpr (kOpcode == Opcode::sub) {
      result = x - y;
    } else if constexpr (kOpcode == Opcode::mul) {
      result = x * y;
    } else {
      result = x / y;
    }
  }
  return finished<T, kFlush, kSaturate>(result);
}
template <class T, Rounding kRounding, bool kFlush, bool kSaturate>
T directed_fma(T a, T b, T c) {
  const volatile T x = taken<T, kFlush>(a);
  const volatile T y = taken<T, kFlush>(b);
  const volatile T z = taken<T, kFlush>(c);
  volatile T result;
  {
    const RoundingScope scope(kRounding);
    result = std::fma(x, y, z);
  }
  return finished<T, kFlush, kSaturate>(result);
}
template <Opcode kOpcode, class T, Rounding kRounding, bool kFlush>
T directed_unary(T a) {
  const volatile T x = taken<T, kFlush>(a);
  volatile T result;
  {
    const RoundingScope scope(kRounding);
    if constexpr (kOpcode == Opcode::rcp) {
      result = T{1} / x;
    } else {
      result = std::sqrt(x);
    }
  }
  return finished<T, kFlush, false>(result);
}

template <class T, Rounding kRounding, bool kFlush, bool kSaturate>
Handler pick_directed(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::add:
      return lane_call<&directed_binary<Opcode::add, T, kRounding, kFlush, kSaturate>>(immediates);
    case Opcode::sub:
      return lane_call<&directed_binary<Opcode::sub, T, kRounding, kFlush, kSaturate>>(immediates);
    case Opcode::mul:
      return lane_call<&directed_binary<Opcode::mul, T, kRounding, kFlush, kSaturate>>(immediates);
    case Opcode::div:
      return lane_call<&directed_binary<Opcode::div, T, kRounding, kFlush, kSaturate>>(immediates);
    case Opcode::fma:
      return lane_call<&directed_fma<T, kRounding, kFlush, kSaturate>>(immediates);
    case Opcode::rcp:
      return lane_call<&directed_unary<Opcode::rcp, T, kRounding, kFlush>>(immediates);
    case Opcode::sqrt:
      return lane_call<&directed_unary<Opcode::sqrt, T, kRounding, kFlush>>(immediates);
    default:
      return nullptr;
  }
}

template <class T, bool kFlush, bool kSaturate>
Handler pick_rounding(const ir::Operation& operation, unsigned immediates) {
  switch (operation.rounding) {
    case Rounding::zero:
      return pick_directed<T, Rounding::zero, kFlush, kSaturate>(operation, immediates);
    case Rounding::down:
      return pick_directed<T, Rounding::down, kFlush, kSaturate>(operation, immediates);
    case Rounding::up:
      return pick_directed<T, Rounding::up, kFlush, kSaturate>(operation, immediates);
    default:
      return nullptr;
  }
}

template <Opcode kOpcode, bool kFlush>
float approximate(float a) {
  const double x = taken<float, kFlush>(a);
  double result = 0;
  if constexpr (kOpcode == Opcode::sin) {
    result = std::sin(x);
  } else if constexpr (kOpcode == Opcode::cos) {
    result = std::cos(x);
  } else if constexpr (kOpcode == Opcode::ex2) {
    result = std::exp2(x);
  } else if constexpr (kOpcode == Opcode::lg2) {
    result = std::log2(x);
  } else {
    result = std::tanh(x);
  }
  return finished<float, kFlush, false>(static_cast<float>(result));
}

template <bool kFlush>
Handler pick_approximate(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::sin:
      return lane_call<&approximate<Opcode::sin, kFlush>>(immediates);
    case Opcode::cos:
      return lane_call<&approximate<Opcode::cos, kFlush>>(immediates);
    case Opcode::ex2:
      return lane_call<&approximate<Opcode::ex2, kFlush>>(immediates);
    case Opcode::lg2:
      return lane_call<&approximate<Opcode::lg2, kFlush>>(immediates);
    case Opcode::tanh:
      return lane_call<&approximate<Opcode::tanh, kFlush>>(immediates);
    default:
      return nullptr;
  }
}

enum class Test : std::uint32_t { finite, infinite, number, not_a_number, normal, subnormal };

template <class T>
Bit test(T a, const MicroOp& op) {
  switch (static_cast<Test>(op.extra)) {
    case Test::finite:
      return {std::isfinite(a)};
    case Test::infinite:
      return {std::isinf(a)};
    case Test::number:
      return {!std::isnan(a)};
    case Test::not_a_number:
      return {std::isnan(a)};
    case Test::normal:
      return {std::isnormal(a) || a == 0};  // PTX ISA: zeros count as normal
    case Test::subnormal:
      return {std::fpclassify(a) == FP_SUBNORMAL};
  }
  return {false};
}

// The 19 leading bits of a float: the mantissa rounded to 10 bits.
template <bool kAway>
std::uint32_t to_tf32(float a) {
  const std::uint32_t bits = to_bits(a);
  if (a != a) return kCanonicalNaN<float>;
  if ((bits & 0x7F80'0000) == 0x7F80'0000) return bits;
  const std::uint32_t half = 1u << 12;
  const std::uint32_t odd = bits >> 13 & 1;
  return (bits + (kAway ? half : half - 1 + odd)) & ~((1u << 13) - 1);
}

}  // namespace

Handler select_rare_float(const ir::Operation& operation, unsigned immediates) {
  const bool single = operation.type == Type::f32;
  if (operation.opcode == Opcode::cvt_tf32) {
    return operation.rounding == Rounding::nearest_away ? lane_call<&to_tf32<true>>(immediates)
                                                        : lane_call<&to_tf32<false>>(immediates);
  }
  if (!single && operation.type != Type::f64) return nullptr;
  if (operation.opcode == Opcode::testp) {
    return single ? lane_call<&test<float>>(immediates) : lane_call<&test<double>>(immediates);
  }
  if (single) {
    const Handler handler =
        operation.ftz ? pick_approximate<true>(operation, immediates) : pick_approximate<false>(operation, immediates);
    if (handler != nullptr) return handler;
    if (operation.ftz) {
      return operation.saturate ? pick_rounding<float, true, true>(operation, immediates)
                                : pick_rounding<float, true, false>(operation, immediates);
    }
    return operation.saturate ? pick_rounding<float, false, true>(operation, immediates)
                              : pick_rounding<float, false, false>(operation, immediates);
  }
  return operation.saturate ? nullptr : pick_rounding<double, false, false>(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec
