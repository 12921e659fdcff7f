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
