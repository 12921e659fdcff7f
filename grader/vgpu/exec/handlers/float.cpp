// Single and double precision arithmetic, rounded to nearest even, that vector instructions do exactly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/float.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include <bit>
#include <cmath>
#include <limits>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/repaired_lanes-inl.h"
#include "vgpu/exec/handlers/select.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

using ir::Opcode;
using ir::Type;

/// How an operation treats subnormal numbers and its result's range.
template <bool kFlush, bool kSaturate>
struct Mode {
  static constexpr bool kFlushes = kFlush;

  template <class T>
  static T in(T a) {
    if constexpr (kFlush) {
      return flushed(a);
    } else {
      return a;
    }
  }
  /// In double precision NaN is another one: see KeepingNaN.
  template <class T>
  static T out(T a) {
    a = in(a);
    if constexpr (sizeof(T) == 4) a = canonical(a);
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
  return div<T, M>(T{1}, a);
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
  return M::out(least);
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
  return M::out(most);
}

// F as a GPU has it where operands are NaN.
template <auto F>
struct KeepingNaN;
template <class T, class... Operands, T (*F)(Operands...)>
struct KeepingNaN<F> {
  static T exact(Operands... operands) { return settled(F(operands...), operands...); }
};
// Division has the first operand's NaN, as a program that a GPU's compiler makes of it.
template <class T, class M>
T div_keeping_nan(T a, T b) {
  return settled(div<T, M>(a, b), b, a);
}

// Where the fast one has the least normal number, which may be one only by rounding.
template <class T, class M>
T exact_mul(T a, T b) {
  const T x = M::in(a), y = M::in(b);
  return M::out(flushed_product(x * y, scaled(x) * y));
}
template <class T, class M>
T exact_fma(T a, T b, T c) {
  const T x = M::in(a), y = M::in(b), z = M::in(c);
  return M::out(flushed_product(std::fma(x, y, z), std::fma(scaled(x), y, scaled(z))));
}
template <class T, class M>
T exact_div(T a, T b) {
  const T x = M::in(a), y = M::in(b);
  return M::out(flushed_quotient(x / y, x, y));
}

template <auto F>
Handler keeping_nan_unary(unsigned immediates) {
  return guarded_unary<F, &KeepingNaN<F>::exact>(immediates);
}
/// Without a form for constants: what kernels hardly use is not compiled twice.
template <class T, auto F>
Handler selected_rare_binary(unsigned immediates) {
  if (immediates != 0) return nullptr;
  if constexpr (sizeof(T) == 4) {
    return &Lanes<F>::run;
  } else {
    return &GuardedLanes<F, &KeepingNaN<F>::exact>::run;
  }
}
template <class T, auto F>
Handler selected_unary(unsigned immediates) {
  if constexpr (sizeof(T) == 4) {
    return unary<F>(immediates);
  } else {
    return keeping_nan_unary<F>(immediates);
  }
}
template <class T, auto F>
Handler selected_binary(unsigned immediates) {
  if constexpr (sizeof(T) == 4) {
    return binary<F>(immediates);
  } else {
    return guarded_binary<F, &KeepingNaN<F>::exact>(immediates);
  }
}

// Of whole vectors, without any mode.
struct Sums {
  template <class V>
  static HWY_INLINE V apply(V a, V b) {
    return hn::Add(a, b);
  }
};
struct Differences {
  template <class V>
  static HWY_INLINE V apply(V a, V b) {
    return hn::Sub(a, b);
  }
};
struct Products {
  template <class V>
  static HWY_INLINE V apply(V a, V b) {
    return hn::Mul(a, b);
  }
};
struct Quotients {
  template <class V>
  static HWY_INLINE V apply(V a, V b) {
    return hn::Div(a, b);
  }
};
struct FusedSums {
  template <class V>
  static HWY_INLINE V apply(V a, V b, V c) {
    return hn::MulAdd(a, b, c);
  }
};

template <class T, class Vectors, auto F>
Handler selected_sum(unsigned immediates) {
  if constexpr (sizeof(T) == 4) {
    return binary<F>(immediates);
  } else {
    return held_binary<Vectors, F, &KeepingNaN<F>::exact>(immediates);
  }
}
template <class T, class M>
Handler select_mul(unsigned immediates) {
  if constexpr (M::kFlushes) {
    return repaired_binary<&mul<T, M>, &exact_mul<T, M>>(immediates);
  } else {
    return selected_sum<T, Products, &mul<T, M>>(immediates);
  }
}
template <class T, class M>
Handler select_fma(unsigned immediates) {
  if constexpr (M::kFlushes) {
    return repaired_ternary<&fma<T, M>, &exact_fma<T, M>>(immediates);
  } else if constexpr (sizeof(T) == 4) {
    return ternary<&fma<T, M>>(immediates);
  } else {
#if HWY_NATIVE_FMA
    return held_ternary<FusedSums, &fma<T, M>, &KeepingNaN<&fma<T, M>>::exact>(immediates);
#else
    return guarded_ternary<&fma<T, M>, &KeepingNaN<&fma<T, M>>::exact>(immediates);
#endif
  }
}
template <class T, class M>
Handler select_div(bool approximate, unsigned immediates) {
  if constexpr (M::kFlushes) {
    return approximate ? repaired_binary<&approximate_div<T, M>, &exact_div<T, M>>(immediates)
                       : repaired_binary<&div<T, M>, &exact_div<T, M>>(immediates);
  } else if constexpr (sizeof(T) == 4) {
    return approximate ? binary<&approximate_div<T, M>>(immediates) : binary<&div<T, M>>(immediates);
  } else {
    return approximate ? nullptr : held_binary<Quotients, &div<T, M>, &div_keeping_nan<T, M>>(immediates);
  }
}

template <class T, class M>
Handler select_with(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::add:
      return selected_sum<T, Sums, &add<T, M>>(immediates);
    case Opcode::sub:
      return selected_sum<T, Differences, &sub<T, M>>(immediates);
    case Opcode::mul:
      return select_mul<T, M>(immediates);
    case Opcode::fma:
      return select_fma<T, M>(immediates);
    default:
      return nullptr;
  }
}

template <class T, class M>
Handler select_without_saturation(const ir::Operation& operation, unsigned immediates) {
  const bool minimal = operation.opcode == Opcode::min;
  switch (operation.opcode) {
    case Opcode::div:
      return select_div<T, M>(operation.approximate, immediates);
    case Opcode::rcp:
      return selected_unary<T, &rcp<T, M>>(immediates);
    case Opcode::sqrt:
      return selected_unary<T, &sqrt<T, M>>(immediates);
    case Opcode::rsqrt:
      return selected_unary<T, &rsqrt<T, M>>(immediates);
    case Opcode::neg:
      return keeping_nan_unary<&neg<T, M>>(immediates);
    case Opcode::abs:
      return keeping_nan_unary<&abs<T, M>>(immediates);
    case Opcode::copysign:
      return immediates == 0 ? &Lanes<&copysign<T>>::run : nullptr;
    case Opcode::min:
    case Opcode::max:
      if (operation.flag && operation.full) {
        return minimal ? selected_rare_binary<T, &minimum<T, M, true, true>>(immediates)
                       : selected_rare_binary<T, &maximum<T, M, true, true>>(immediates);
      }
      if (operation.flag) {
        return minimal ? selected_rare_binary<T, &minimum<T, M, false, true>>(immediates)
                       : selected_rare_binary<T, &maximum<T, M, false, true>>(immediates);
      }
      if (operation.full) {
        return minimal ? selected_rare_binary<T, &minimum<T, M, true, false>>(immediates)
                       : selected_rare_binary<T, &maximum<T, M, true, false>>(immediates);
      }
      return minimal ? selected_binary<T, &minimum<T, M, false, false>>(immediates)
                     : selected_binary<T, &maximum<T, M, false, false>>(immediates);
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
    // `.ftz` on a double is taken and does nothing, but in approximations, which are lane forms.
    handler = select_with<double, Mode<false, false>>(operation, immediates);
    return handler != nullptr ? handler : select_without_saturation<double, Mode<false, false>>(operation, immediates);
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
