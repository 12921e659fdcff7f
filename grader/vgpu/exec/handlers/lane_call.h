// A handler out of any function of one lane: for the operations that vector instructions do not help, and for
// libdevice.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/micro_op.h"

namespace cudalabs::vgpu::exec {

/// One lane of a predicate.
struct Bit {
  bool value = false;
};

/// A result with a second one in a predicate (`extra` is its place): carries, shuffle-like pairs.
template <class T>
struct WithBit {
  T value;
  bool bit;
};

/// Two predicates at once: `setp` on packed halves.
struct TwoBits {
  bool first, second;
};

/// Runs F for every active lane. Operands come from rows a, b, c and, the fourth, from the row at `immediate`; a last
/// parameter of type `const MicroOp&` gets the operation itself. Results go to row d.
template <auto F>
struct LaneCall;

template <class D, class... Operands, D (*F)(Operands...)>
struct LaneCall<F> {
  template <class T, std::size_t kIndex>
  static T operand(const MicroOp* op, const std::byte* registers, std::uint32_t lane) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<Plain, MicroOp>) {
      return *op;
    } else {
      const std::uint32_t offset = kIndex == 0   ? op->a
                                   : kIndex == 1 ? op->b
                                   : kIndex == 2 ? op->c
                                                 : static_cast<std::uint32_t>(op->immediate);
      if constexpr (std::is_same_v<Plain, Bit>) {
        return Bit{(*reinterpret_cast<const LaneMask*>(registers + offset) >> lane & 1) != 0};
      } else {
        Plain value;
        std::memcpy(&value, registers + offset + lane * sizeof value, sizeof value);
        return value;
      }
    }
  }

  template <std::size_t... kIndex>
  static D call(const MicroOp* op, const std::byte* registers, std::uint32_t lane, std::index_sequence<kIndex...>) {
    return F(operand<Operands, kIndex>(op, registers, lane)...);
  }

  static void assign(std::byte* registers, std::uint32_t offset, std::uint32_t lane, bool value) {
    LaneMask& predicate = *reinterpret_cast<LaneMask*>(registers + offset);
    predicate = (predicate & ~(1u << lane)) | (static_cast<LaneMask>(value) << lane);
  }
  template <class T>
  static void assign_value(std::byte* registers, std::uint32_t offset, std::uint32_t lane, T value) {
    std::memcpy(registers + offset + lane * sizeof value, &value, sizeof value);
  }

  static const MicroOp* run(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
    for (const std::uint32_t lane : each_lane(mask)) {
      const D result = call(op, registers, lane, std::index_sequence_for<Operands...>{});
      if constexpr (std::is_same_v<D, Bit>) {
        assign(registers, op->d, lane, result.value);
      } else if constexpr (std::is_same_v<D, TwoBits>) {
        assign(registers, op->d, lane, result.first);
        assign(registers, op->extra, lane, result.second);
      } else if constexpr (requires { result.bit; }) {
        assign_value(registers, op->d, lane, result.value);
        assign(registers, op->extra, lane, result.bit);
      } else {
        assign_value(registers, op->d, lane, result);
      }
    }
    return next(op, registers, warp, mask);
  }
};

template <auto F>
inline Handler lane_call(unsigned immediates) {
  return immediates == 0 ? &LaneCall<F>::run : nullptr;
}

}  // namespace cudalabs::vgpu::exec
