// Single and double precision arithmetic, rounded to nearest even, that vector instructions do exactly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/float.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include <bit>
#include <cmath>
#include <limits>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

using ir::Opcode;
using ir::Type;

/// How an operation treats subnormal numbers and its result's range.
template <bool kFlush, bool kSaturate>
struct Mode {
  template <class T>
  static T in(T a) {
    if constexpr (kFlush) {
      return flushed(a);
    } else {
      return a;
    }
  }
  template <class T>
  static T out(T a) {
    a = canonical(in(a));
    if constexpr (kSaturate) {
      return saturated(a);
    } else {
      return a;
    }
  }
};

template <class T, class M>
T add(T a, T b) {
  return M::out(M::in(a) + M::in(b));
}
template <class T, class M>
T sub(T a, T b) {
  return M::out(M::in(a)-M::in(b));
}
template <class T, class M>
T mul(T a, T b) {
  return M::out(M::in(a)*M::in(b));
}
template <class T, class M>
T fma(T a, T b, T c) {
  return M::out(std::fma(M::in(a), M::in(b), M::in(c)));
}
template <class T, class M>
T div(T a, T b) {
  return M::out(M::in(a) / M::in(b));
}
// a times the reciprocal of b, which is 0 from 2^126 on: smaller ones would be subnormal.
template <class T, class M>
T approximate_div(T a, T b) {
  const T x = M::in(a);
  const T y = M::in(b);
  const T magnitude = from_bits<T>(to_bits(y) & ~kSignBit<T>);
  const T zero = from_bits<T>(to_bits(y) & kSignBit<T>);
  return M::out(magnitude > T{0x1p126F} ? x * zero : x / y);
}
template <class T, class M>
T rcp(T a) {
  return M::out(T{1} / M::in(a));
}
template <class T, class M>
T sqrt(T a) {
  return M::out(std::sqrt(M::in(a)));
}
// In double, so that the single-precision result is the nearest one but for double rounding.
template <class T, class M>
T rsqrt(T a) {
  return M::out(static_cast<T>(1.0 / std::sqrt(static_cast<double>(M::in(a)))));
}
template <class T, class M>
T neg(T a) {
  return from_bits<T>(to_bits(M::in(a)) ^ kSignBit<T>);
}
template <class T, class M>
T abs(T a) {
  return from_bits<T>(to_bits(M::in(a)) & ~kSignBit<T>);
}
template <class T>
T copysign(T sign, T magnitude) {
  return from_bits<T>((to_bits(sign) & kSignBit<T>) | (to_bits(magnitude) & ~kSignBit<T>));
}

// Minimum and maximum: a NaN loses against a number (or wins, when asked to), and -0 is below +0.
template <class T, class M, bool kPropagate, bool kXorSign>
T minimum(T a, T b) {
  a = M::in(a);
  b = M::in(b);
  const Bits<T> sign = (to_bits(a) ^ to_bits(b)) & kSignBit<T>;
  if constexpr (kXorSign) {
    a = abs<T, M>(a);
    b = abs<T, M>(b);
  }
  T least = a < b ? a : (b < a ? b : from_bits<T>(to_bits(a) | to_bits(b)));
  least = a != a ? (kPropagate ? a : b) : (b != b ? (kPropagate ? b : a) : least);
  if constexpr (kXorSign) least = from_bits<T>((to_bits(least) & ~kSignBit<T>) | sign);
  return canonical(least);
}
template <class T, class M, bool kPropagate, bool kXorSign>
T maximum(T a, T b) {
  a = M::in(a);
  b = M::in(b);
  const Bits<T> sign = (to_bits(a) ^ to_bits(b)) & kSignBit<T>;
  if constexpr (kXorSign) {
    a = abs<T, M>(a);
    b = abs<T, M>(b);
  }
  T most = b < a ? a : (a < b ? b : from_bits<T>(to_bits(a) & to_bits(b)));
  most = a != a ? (kPropagate ? a : b) : (b != b ? (kPropagate ? b : a) : most);
  if constexpr (kXorSign) most = from_bits<T>((to_bits(most) & ~kSignBit<T>) | sign);
  return canonical(most);
}

template <class T, class M>
Handler select_with(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::add:
      return binary<&add<T, M>>(immediates);
    case Opcode::sub:
      return binary<&sub<T, M>>(immediates);
    case Opcode::mul:
      return binary<&mul<T, M>>(immediates);
    case Opcode::fma:
      return ternary<&fma<T, M>>(immediates);
    default:
      return nullptr;
  }
}

template <class T, class M>
Handler select_without_saturation(const ir::Operation& operation, unsigned immediates) {
  const bool minimal = operation.opcode == Opcode::min;
  switch (operation.opcode) {
    case Opcode::div:
      return operation.approximate ? binary<&approximate_div<T, M>>(immediates) : binary<&div<T, M>>(immediates);
    case Opcode::rcp:
      return unary<&rcp<T, M>>(immediates);
    case Opcode::sqrt:
      return unary<&sqrt<T, M>>(immediates);
    case Opcode::rsqrt:
      return unary<&rsqrt<T, M>>(immediates);
    case Opcode::neg:
      return unary<&neg<T, M>>(immediates);
    case Opcode::abs:
      return unary<&abs<T, M>>(immediates);
    case Opcode::copysign:
      return binary<&copysign<T>>(immediates);
    case Opcode::min:
    case Opcode::max:
      if (operation.flag && operation.full) {
        return minimal ? binary<&minimum<T, M, true, true>>(immediates)
                       : binary<&maximum<T, M, true, true>>(immediates);
      }
      if (operation.flag) {
        return minimal ? binary<&minimum<T, M, false, true>>(immediates)
                       : binary<&maximum<T, M, false, true>>(immediates);
      }
      if (operation.full) {
        return minimal ? binary<&minimum<T, M, true, false>>(immediates)
                       : binary<&maximum<T, M, true, false>>(immediates);
      }
      return minimal ? binary<&minimum<T, M, false, false>>(immediates)
                     : binary<&maximum<T, M, false, false>>(immediates);
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_float_here(const ir::Operation& operation, unsigned immediates) {
  if (operation.rounding != ir::Rounding::nearest_even && operation.rounding != ir::Rounding::none) return nullptr;
  Handler handler = nullptr;
  if (operation.type == Type::f32) {
    if (operation.ftz) {
      handler = operation.saturate ? select_with<float, Mode<true, true>>(operation, immediates)
                                   : select_with<float, Mode<true, false>>(operation, immediates);
      if (handler != nullptr || operation.saturate) return handler;
      return select_without_saturation<float, Mode<true, false>>(operation, immediates);
    }
    handler = operation.saturate ? select_with<float, Mode<false, true>>(operation, immediates)
                                 : select_with<float, Mode<false, false>>(operation, immediates);
    if (handler != nullptr || operation.saturate) return handler;
    return select_without_saturation<float, Mode<false, false>>(operation, immediates);
  }
  if (operation.type == Type::f64 && !operation.saturate) {
    // `.ftz` on a double only occurs with approximations, whose operands are flushed like single ones are.
    handler = select_with<double, Mode<false, false>>(operation, immediates);
    if (handler != nullptr) return handler;
    return operation.ftz ? select_without_saturation<double, Mode<true, false>>(operation, immediates)
                         : select_without_saturation<double, Mode<false, false>>(operation, immediates);
  }
  return nullptr;
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::vgpu::exec {

HWY_EXPORT(select_float_here);

Handler select_float(const ir::Operation& operation, unsigned immediates) {
  return HWY_DYNAMIC_DISPATCH(select_float_here)(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
