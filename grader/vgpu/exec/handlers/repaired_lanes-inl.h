// Lane by lane like lanes-inl.h, for functions that a vector does faster when it need not be right in a few rare cases.
#include <limits>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lanes-inl.h"

// Per-target include guard
#if defined(CUDALABS_VGPU_EXEC_HANDLERS_REPAIRED_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUDALABS_VGPU_EXEC_HANDLERS_REPAIRED_LANES_INL_H_
#undef CUDALABS_VGPU_EXEC_HANDLERS_REPAIRED_LANES_INL_H_
#else
#define CUDALABS_VGPU_EXEC_HANDLERS_REPAIRED_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The handler that computes F(a, b, c) lane by lane, and where an operand is NaN, which is rare, kExact(a, b, c). Of
/// numbers F makes the NaN that x86 does.
template <auto F, auto kExact, unsigned kImmediates = 0>
struct GuardedLanes;

template <class T, class... Operands, T (*F)(Operands...), auto kExact, unsigned kImmediates>
struct GuardedLanes<F, kExact, kImmediates> {
  using Plain = Lanes<F, kImmediates>;
  using Indices = std::index_sequence_for<Operands...>;

  static const MicroOp* run(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
    if (any_nan(op, registers, mask, Indices{})) [[unlikely]] {
      Lanes<kExact, kImmediates>::apply(op, registers, mask, Indices{});
    } else {
      Plain::apply(op, registers, mask, Indices{});
    }
    return next(op, registers, warp, mask);
  }

  template <std::size_t... kIndex>
  static HWY_INLINE bool any_nan(const MicroOp* op, std::byte* registers, LaneMask mask,
                                 std::index_sequence<kIndex...>) {
    const auto sources = std::make_tuple(Plain::template source<kIndex>(op, registers)...);
    if (mask != kAllLanes) {  // what the other lanes hold is no operand
      bool nan = false;
      for (std::uint32_t l = 0; l < kWarpSize; ++l) {
        nan |= lane_is_in<T>(mask, l) && ((std::get<kIndex>(sources)(l) != std::get<kIndex>(sources)(l)) || ...);
      }
      return nan;
    }
    const hn::CappedTag<T, kWarpSize> d;
    constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<T, kWarpSize>{});
    auto nan = hn::IsNaN(hn::Zero(d));
    for (std::size_t i = 0; i < kWarpSize; i += kLanes) {
      const auto add = [&]<std::size_t kOperand>(std::integral_constant<std::size_t, kOperand>) HWY_ATTR {
        if constexpr ((kImmediates >> kOperand & 1) == 0) {
          nan = hn::Or(nan, hn::IsNaN(hn::Load(d, std::get<kOperand>(sources).values + i)));
        } else if (i == 0) {
          nan = hn::Or(nan, hn::IsNaN(hn::Set(d, std::get<kOperand>(sources).constant)));
        }
      };
      (add(std::integral_constant<std::size_t, kIndex>{}), ...);
    }
    return !hn::AllFalse(d, nan);
  }
};

/// The same where all results are held in vectors until it is known that none is NaN: for the whole warp Vectors::apply
/// computes what F does.
template <class Vectors, auto F, auto kExact, unsigned kImmediates = 0>
struct HeldLanes;

template <class Vectors, class T, class... Operands, T (*F)(Operands...), auto kExact, unsigned kImmediates>
struct HeldLanes<Vectors, F, kExact, kImmediates> {
  using Plain = Lanes<F, kImmediates>;
  using Indices = std::index_sequence_for<Operands...>;
  using Tag = hn::CappedTag<T, kWarpSize>;
  using Vector = hn::Vec<Tag>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Tag{});

  static const MicroOp* run(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
    if (!store_numbers(op, registers, mask, std::make_index_sequence<kWarpSize / kLanes>{})) [[unlikely]]
      exact(op, registers, mask);
    return next(op, registers, warp, mask);
  }

  static HWY_NOINLINE void exact(const MicroOp* op, std::byte* registers, LaneMask mask) {
    Lanes<kExact, kImmediates>::apply(op, registers, mask, Indices{});
  }

  template <std::size_t kIndex>
  static HWY_INLINE Vector operand(const MicroOp* op, std::byte* registers, std::size_t at) {
    const auto source = Plain::template source<kIndex>(op, registers);
    if constexpr ((kImmediates >> kIndex & 1) != 0) {
      return hn::Set(Tag{}, source.constant);
    } else {
      return hn::Load(Tag{}, source.values + at);
    }
  }
  template <std::size_t... kIndex>
  static HWY_INLINE Vector result(const MicroOp* op, std::byte* registers, std::size_t at,
                                  std::index_sequence<kIndex...>) {
    return Vectors::apply(operand<kIndex>(op, registers, at)...);
  }

  // Nothing, when a result is NaN.
  template <std::size_t... kPart>
  static HWY_INLINE bool store_numbers(const MicroOp* op, std::byte* registers, LaneMask mask,
                                       std::index_sequence<kPart...> parts) {
    T* to = row<T>(registers, op->d);
    if (mask == kAllLanes) [[likely]]
      return store(to, parts, result(op, registers, kPart * kLanes, Indices{})...);
    return store_some(to, mask, parts, result(op, registers, kPart * kLanes, Indices{})...);
  }
  template <std::size_t... kPart, class... Results>
  static HWY_INLINE bool store(T* to, std::index_sequence<kPart...>, Results... results) {
    auto nan = hn::IsNaN(hn::Zero(Tag{}));
    ((nan = hn::Or(nan, hn::IsNaN(results))), ...);
    if (!hn::AllFalse(Tag{}, nan)) return false;
    (hn::Store(results, Tag{}, to + kPart * kLanes), ...);
    return true;
  }
  template <std::size_t... kPart, class... Results>
  static HWY_INLINE bool store_some(T* to, LaneMask mask, std::index_sequence<kPart...>, Results... results) {
    auto nan = hn::IsNaN(hn::Zero(Tag{}));
    ((nan = hn::Or(nan, hn::And(lanes_of(mask, kPart), hn::IsNaN(results)))), ...);
    if (!hn::AllFalse(Tag{}, nan)) return false;
    (hn::Store(hn::IfThenElse(lanes_of(mask, kPart), results, hn::Load(Tag{}, to + kPart * kLanes)), Tag{},
               to + kPart * kLanes),
     ...);
    return true;
  }
  static HWY_INLINE auto lanes_of(LaneMask mask, std::size_t part) {
    const std::uint64_t bits = mask >> (part * kLanes);
    std::uint8_t bytes[sizeof bits];
    std::memcpy(bytes, &bits, sizeof bits);
    return hn::LoadMaskBits(Tag{}, bytes);
  }
};

/// The handler that computes F(a, b, c) lane by lane, and where the result is the least normal number, which is rare,
/// kExact(a, b, c).
template <auto F, auto kExact, unsigned kImmediates = 0>
struct RepairedLanes;

template <class T, class... Operands, T (*F)(Operands...), auto kExact, unsigned kImmediates>
struct RepairedLanes<F, kExact, kImmediates> {
  using Plain = Lanes<F, kImmediates>;
  using Indices = std::index_sequence_for<Operands...>;

  static const MicroOp* run(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
    compute(op, registers, mask, Indices{});
    return next(op, registers, warp, mask);
  }

  static bool is_least(T a) { return from_bits<T>(to_bits(a) & ~kSignBit<T>) == std::numeric_limits<T>::min(); }

  // Not in run(), which ends with a jump and must have no frame. The result may replace an operand, which is kept
  // aside.
  template <std::size_t... kIndex>
  static HWY_NOINLINE void compute(const MicroOp* op, std::byte* registers, LaneMask mask,
                                   std::index_sequence<kIndex...>) {
    alignas(64) T replaced[kWarpSize];
    T* d = row<T>(registers, op->d);
    const auto sources = std::make_tuple(Plain::template source<kIndex>(op, registers)...);
    for_lanes(d, mask, [&](std::uint32_t l) {
      replaced[l] = d[l];
      return F(std::get<kIndex>(sources)(l)...);
    });
    if (!any_least(d)) [[likely]]
      return;
    for (std::uint32_t l = 0; l < kWarpSize; ++l) {
      if (!lane_is_in<T>(mask, l) || !is_least(d[l])) continue;
      const auto operand = [&](const auto& source) { return source.values == d ? replaced[l] : source(l); };
      d[l] = kExact(operand(std::get<kIndex>(sources))...);
    }
  }

  static HWY_INLINE bool any_least(const T* results) {
    const hn::CappedTag<T, kWarpSize> d;
    constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<T, kWarpSize>{});
    const auto least = hn::Set(d, std::numeric_limits<T>::min());
    auto any = hn::Eq(hn::Abs(hn::Load(d, results)), least);
    for (std::size_t i = kLanes; i < kWarpSize; i += kLanes) {
      any = hn::Or(any, hn::Eq(hn::Abs(hn::Load(d, results + i)), least));
    }
    return !hn::AllFalse(d, any);
  }
};

/// As unary() and the others of lanes-inl.h.
template <auto F, auto kExact>
inline Handler guarded_unary(unsigned immediates) {
  return immediates == 0 ? &GuardedLanes<F, kExact>::run : nullptr;
}

template <auto F, auto kExact>
inline Handler guarded_binary(unsigned immediates) {
  if (immediates == 2) return &GuardedLanes<F, kExact, 2>::run;
  return immediates == 0 ? &GuardedLanes<F, kExact>::run : nullptr;
}

template <auto F, auto kExact>
inline Handler guarded_ternary(unsigned immediates) {
  if (immediates == 4) return &GuardedLanes<F, kExact, 4>::run;
  return guarded_binary<F, kExact>(immediates);
}

template <class Vectors, auto F, auto kExact>
inline Handler held_binary(unsigned immediates) {
  if (immediates == 2) return &HeldLanes<Vectors, F, kExact, 2>::run;
  return immediates == 0 ? &HeldLanes<Vectors, F, kExact>::run : nullptr;
}

template <class Vectors, auto F, auto kExact>
inline Handler held_ternary(unsigned immediates) {
  if (immediates == 4) return &HeldLanes<Vectors, F, kExact, 4>::run;
  return held_binary<Vectors, F, kExact>(immediates);
}

template <auto F, auto kExact>
inline Handler repaired_binary(unsigned immediates) {
  if (immediates == 2) return &RepairedLanes<F, kExact, 2>::run;
  return immediates == 0 ? &RepairedLanes<F, kExact>::run : nullptr;
}

template <auto F, auto kExact>
inline Handler repaired_ternary(unsigned immediates) {
  if (immediates == 4) return &RepairedLanes<F, kExact, 4>::run;
  return repaired_binary<F, kExact>(immediates);
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
