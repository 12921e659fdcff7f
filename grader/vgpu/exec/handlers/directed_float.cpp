// Single and double precision arithmetic with directed rounding, one lane at a time.
#include <cmath>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/exec/handlers/rounding_scope.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;
using ir::Rounding;
using ir::Type;

template <class T, bool kFlush, bool kSaturate, class... Operands>
T finished(T value, Operands... operands) {
  if constexpr (kFlush) value = flushed(value);
  value = settled(value, operands...);
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
  const volatile T larger = scaled<T>(x);
  volatile T result, larger_result{};
  {
    const RoundingScope scope(kRounding);
    if constexpr (kOpcode == Opcode::add) {
      result = x + y;
    } else if constexpr (kOpcode == Opcode::sub) {
      result = x - y;
    } else if constexpr (kOpcode == Opcode::mul) {
      result = x * y;
      if constexpr (kFlush) larger_result = larger * y;
    } else {
      result = x / y;
    }
  }
  T value = result;
  if constexpr (kFlush && kOpcode == Opcode::mul) value = flushed_product<T>(value, larger_result);
  if constexpr (kFlush && kOpcode == Opcode::div) value = flushed_quotient<T>(value, x, y);
  // Division has the first operand's NaN, as a program that a GPU's compiler makes of it.
  if constexpr (kOpcode == Opcode::div) return finished<T, kFlush, kSaturate>(value, b, a);
  return finished<T, kFlush, kSaturate>(value, a, b);
}
template <class T, Rounding kRounding, bool kFlush, bool kSaturate>
T directed_fma(T a, T b, T c) {
  const volatile T x = taken<T, kFlush>(a);
  const volatile T y = taken<T, kFlush>(b);
  const volatile T z = taken<T, kFlush>(c);
  const volatile T larger = scaled<T>(x), larger_addend = scaled<T>(z);
  volatile T result, larger_result{};
  {
    const RoundingScope scope(kRounding);
    result = std::fma(x, y, z);
    if constexpr (kFlush) larger_result = std::fma(larger, y, larger_addend);
  }
  T value = result;
  if constexpr (kFlush) value = flushed_product<T>(value, larger_result);
  return finished<T, kFlush, kSaturate>(value, a, b, c);
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
  T value = result;
  if constexpr (kFlush && kOpcode == Opcode::rcp) value = flushed_quotient<T>(value, T{1}, x);
  return finished<T, kFlush, false>(value, a);
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

}  // namespace

Handler select_directed(const ir::Operation& operation, unsigned immediates) {
  if (operation.type == Type::f64) {
    return operation.saturate ? nullptr : pick_rounding<double, false, false>(operation, immediates);
  }
  if (operation.type != Type::f32) return nullptr;
  if (operation.ftz) {
    return operation.saturate ? pick_rounding<float, true, true>(operation, immediates)
                              : pick_rounding<float, true, false>(operation, immediates);
  }
  return operation.saturate ? pick_rounding<float, false, true>(operation, immediates)
                            : pick_rounding<float, false, false>(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec
