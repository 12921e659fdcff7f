// How a handler applies a function of one lane to all lanes of a warp. Compiled once per instruction set (see Highway's
// foreach_target): plain loops over 32 lanes, which the compiler turns into vector code.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/micro_op.h"

// Per-target include guard
#if defined(CUDALABS_VGPU_EXEC_HANDLERS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUDALABS_VGPU_EXEC_HANDLERS_LANES_INL_H_
#undef CUDALABS_VGPU_EXEC_HANDLERS_LANES_INL_H_
#else
#define CUDALABS_VGPU_EXEC_HANDLERS_LANES_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {

/// Lane l's bit of a LaneMask, as the compiler likes it for vector code of either lane width.
alignas(64) constexpr auto kLaneBit32 = [] {
  std::array<std::uint32_t, kWarpSize> bits{};
  for (std::uint32_t l = 0; l < kWarpSize; ++l) bits[l] = 1u << l;
  return bits;
}();
alignas(64) constexpr auto kLaneBit64 = [] {
  std::array<std::uint64_t, kWarpSize> bits{};
  for (std::uint32_t l = 0; l < kWarpSize; ++l) bits[l] = 1ull << l;
  return bits;
}();
alignas(64) constexpr auto kLaneBit16 = [] {
  std::array<std::uint16_t, kWarpSize> bits{};
  for (std::uint32_t l = 0; l < kWarpSize; ++l) bits[l] = static_cast<std::uint16_t>(1u << (l % 16));
  return bits;
}();

template <class T>
inline bool lane_is_in(LaneMask mask, std::uint32_t lane) {
  if constexpr (sizeof(T) == 8) {
    return (static_cast<std::uint64_t>(mask) & kLaneBit64[lane]) != 0;
  } else if constexpr (sizeof(T) == 4) {
    return (mask & kLaneBit32[lane]) != 0;
  } else {
    return (static_cast<std::uint16_t>(lane < 16 ? mask : mask >> 16) & kLaneBit16[lane]) != 0;
  }
}

template <class T>
inline T* row(std::byte* registers, std::uint32_t offset) {
  return static_cast<T*>(__builtin_assume_aligned(registers + offset, 64));
}

template <class T>
inline T immediate_as(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// d[l] = value(l) for the lanes in the mask. d may be one of value's sources, at the same lane.
template <class D, class Value>
inline void for_lanes(D* d, LaneMask mask, Value value) {
  if (mask == kAllLanes) [[likely]] {
#pragma GCC ivdep
    for (std::uint32_t l = 0; l < kWarpSize; ++l) d[l] = value(l);
  } else {
#pragma GCC ivdep
    for (std::uint32_t l = 0; l < kWarpSize; ++l) d[l] = lane_is_in<D>(mask, l) ? value(l) : d[l];
  }
}

/// One operand of all lanes: a row of registers, or a constant. Not a part of Lanes, so that the compiler makes it, and
/// tuples of it, once for each type and not for each function: that was half of the time this code took to compile.
template <class T, bool kConstant>
struct LaneSource {
  const T* values;
  T constant;
  T operator()(std::uint32_t lane) const {
    if constexpr (kConstant) {
      return constant;
    } else {
      return values[lane];
    }
  }
};

/// The handler that computes F(a, b, c) lane by lane. Bit i of `kImmediates`: operand i is the operation's immediate.
template <auto F, unsigned kImmediates = 0>
struct Lanes;

template <class D, class... Operands, D (*F)(Operands...), unsigned kImmediates>
struct Lanes<F, kImmediates> {
  template <std::size_t kIndex>
  using OperandType = std::tuple_element_t<kIndex, std::tuple<Operands...>>;
  template <std::size_t kIndex>
  using Source = LaneSource<OperandType<kIndex>, (kImmediates >> kIndex & 1) != 0>;

  template <std::size_t kIndex>
  static Source<kIndex> source(const MicroOp* op, std::byte* registers) {
    using T = OperandType<kIndex>;
    if constexpr ((kImmediates >> kIndex & 1) != 0) {
      return {nullptr, immediate_as<T>(op->immediate)};
    } else {
      const std::uint32_t offset = kIndex == 0 ? op->a : kIndex == 1 ? op->b : op->c;
      return {row<const T>(registers, offset), T{}};
    }
  }

  static const MicroOp* run(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
    apply(op, registers, mask, std::index_sequence_for<Operands...>{});
    return next(op, registers, warp, mask);
  }

  template <std::size_t... kIndex>
  static inline void apply(const MicroOp* op, std::byte* registers, LaneMask mask, std::index_sequence<kIndex...>) {
    D* d = row<D>(registers, op->d);
    const auto sources = std::make_tuple(source<kIndex>(op, registers)...);
    for_lanes(d, mask, [&](std::uint32_t l) { return F(std::get<kIndex>(sources)(l)...); });
  }
};

/// F's handler for the given pattern of immediates, null when there is none.
template <auto F>
inline Handler unary(unsigned immediates) {
  return immediates == 0 ? &Lanes<F>::run : nullptr;
}

template <auto F>
inline Handler binary(unsigned immediates) {
  switch (immediates) {
    case 0:
      return &Lanes<F>::run;
    case 2:
      return &Lanes<F, 2>::run;
    default:
      return nullptr;
  }
}

template <auto F>
inline Handler ternary(unsigned immediates) {
  switch (immediates) {
    case 0:
      return &Lanes<F>::run;
    case 2:
      return &Lanes<F, 2>::run;
    case 4:
      return &Lanes<F, 4>::run;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
