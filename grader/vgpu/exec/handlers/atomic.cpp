// Atomic read-modify-write operations. A kernel with atomics on global memory runs on one thread, and a block always
// does, so plain reads and writes are atomic; lanes go in order.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "vgpu/exec/access.h"
#include "vgpu/exec/barrier_word.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/half_bits.h"
#include "vgpu/exec/handlers/select_control.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Type;

/// Two 16-bit numbers that change together.
template <class F>
struct Pair {
  std::uint32_t bits;
};
template <class F>
struct Single {
  std::uint16_t bits;
};

template <class F>
std::uint16_t half_sum(std::uint16_t a, std::uint16_t b) {
  return F::rounded(F::widened(a) + F::widened(b), RoundTo::nearest_even);
}

template <class T>
struct Adding {
  static T apply(T old, T value, bool) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;  // wraps
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
    } else {
      return static_cast<T>(old + value);
    }
  }
};
// PTX ISA, `atom`: additions of f32 in global memory flush subnormal operands and results, those in shared memory do
// not.
template <>
struct Adding<float> {
  static float apply(float old, float value, bool global) {
    if (!global) return canonical(old + value);
    return canonical(flushed(flushed(old) + flushed(value)));
  }
};
// A NaN that is added comes before one that is there in global memory, where neither is even made quiet, and after it
// in shared memory.
template <>
struct Adding<double> {
  static double apply(double old, double value, bool global) {
    if (global && value != value) return value;
    if (global && old != old) return old;
    return settled(old + value, value, old);
  }
};
template <class F>
struct Adding<Single<F>> {
  static Single<F> apply(Single<F> old, Single<F> value, bool) { return {half_sum<F>(old.bits, value.bits)}; }
};
template <class F>
struct Adding<Pair<F>> {
  static Pair<F> apply(Pair<F> old, Pair<F> value, bool) {
    const std::uint16_t low = half_sum<F>(static_cast<std::uint16_t>(old.bits), static_cast<std::uint16_t>(value.bits));
    const std::uint16_t high =
        half_sum<F>(static_cast<std::uint16_t>(old.bits >> 16), static_cast<std::uint16_t>(value.bits >> 16));
    return {low | std::uint32_t{high} << 16};
  }
};

template <class T, AtomicOperation kOperation>
T updated(T old, T first, T second, bool global) {
  if constexpr (kOperation == AtomicOperation::add) {
    return Adding<T>::apply(old, first, global);
  } else if constexpr (kOperation == AtomicOperation::min) {
    return std::min(old, first);
  } else if constexpr (kOperation == AtomicOperation::max) {
    return std::max(old, first);
  } else if constexpr (kOperation == AtomicOperation::bit_and) {
    return static_cast<T>(old & first);
  } else if constexpr (kOperation == AtomicOperation::bit_or) {
    return static_cast<T>(old | first);
  } else if constexpr (kOperation == AtomicOperation::bit_xor) {
    return static_cast<T>(old ^ first);
  } else if constexpr (kOperation == AtomicOperation::exchange) {
    return first;
  } else if constexpr (kOperation == AtomicOperation::compare_and_swap) {
    return old == first ? second : old;
  } else if constexpr (kOperation == AtomicOperation::increment) {
    return old >= first ? T{0} : static_cast<T>(old + 1);
  } else if constexpr (kOperation == AtomicOperation::barrier_arrive) {
    return barrier_word::arrived(old, first);
  } else if constexpr (kOperation == AtomicOperation::barrier_drop) {
    return barrier_word::dropped(old, first);
  } else if constexpr (kOperation == AtomicOperation::barrier_arrive_expecting) {
    return barrier_word::arrived(old, 1, first);
  } else if constexpr (kOperation == AtomicOperation::barrier_drop_expecting) {
    return barrier_word::dropped(old, 1, first);
  } else if constexpr (kOperation == AtomicOperation::barrier_expect) {
    return barrier_word::announced(old, first);
  } else if constexpr (kOperation == AtomicOperation::barrier_complete) {
    return barrier_word::brought(old, first);
  } else {
    return old == 0 || old > first ? first : static_cast<T>(old - 1);
  }
}

/// A counter out of which blocks may draw their work.
template <class T, AtomicOperation kOperation>
constexpr bool kMayDraw = std::is_integral_v<T> &&
                          (kOperation == AtomicOperation::add || kOperation == AtomicOperation::increment ||
                           kOperation == AtomicOperation::decrement);

template <class T, AtomicOperation kOperation>
const MicroOp* atomic(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const auto* base = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    warp->worker->addresses[lane] = (base[lane] + op->immediate) & descriptor.address_mask;
  }
  std::byte* hosts[kWarpSize] = {};
  const AtomicAccess access = resolve_atomic(warp, op, descriptor, mask, hosts);
  const bool wants_old = op->extra != 0;
  bool counted = false;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    T old{};
    if ((access.allowed >> lane & 1) != 0) {
      T first{}, second{};
      std::memcpy(&first, registers + op->b + lane * sizeof(T), sizeof(T));
      if constexpr (kOperation == AtomicOperation::compare_and_swap) {
        std::memcpy(&second, registers + op->c + lane * sizeof(T), sizeof(T));
      }
      std::memcpy(&old, hosts[lane], sizeof(T));
      const T fresh = updated<T, kOperation>(old, first, second, (access.global >> lane & 1) != 0);
      std::memcpy(hosts[lane], &fresh, sizeof(T));
      if constexpr (kMayDraw<T, kOperation>) counted |= fresh != old && (access.global >> lane & 1) != 0;
    }
    if (wants_old) std::memcpy(registers + op->d + lane * sizeof(T), &old, sizeof(T));
  }
  if (counted && wants_old) ++warp->block->draws;
  charge_strong_access(warp);
  return next(op, registers, warp, mask);
}

Handler pick_barrier(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::barrier_arrive:
      return &atomic<std::uint64_t, AtomicOperation::barrier_arrive>;
    case AtomicOperation::barrier_drop:
      return &atomic<std::uint64_t, AtomicOperation::barrier_drop>;
    case AtomicOperation::barrier_arrive_expecting:
      return &atomic<std::uint64_t, AtomicOperation::barrier_arrive_expecting>;
    case AtomicOperation::barrier_drop_expecting:
      return &atomic<std::uint64_t, AtomicOperation::barrier_drop_expecting>;
    case AtomicOperation::barrier_expect:
      return &atomic<std::uint64_t, AtomicOperation::barrier_expect>;
    case AtomicOperation::barrier_complete:
      return &atomic<std::uint64_t, AtomicOperation::barrier_complete>;
    default:
      return nullptr;
  }
}

template <class T>
Handler pick_integer(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::add:
      return &atomic<T, AtomicOperation::add>;
    case AtomicOperation::min:
      return &atomic<T, AtomicOperation::min>;
    case AtomicOperation::max:
      return &atomic<T, AtomicOperation::max>;
    case AtomicOperation::bit_and:
      return &atomic<T, AtomicOperation::bit_and>;
    case AtomicOperation::bit_or:
      return &atomic<T, AtomicOperation::bit_or>;
    case AtomicOperation::bit_xor:
      return &atomic<T, AtomicOperation::bit_xor>;
    case AtomicOperation::exchange:
      return &atomic<T, AtomicOperation::exchange>;
    case AtomicOperation::compare_and_swap:
      return &atomic<T, AtomicOperation::compare_and_swap>;
    case AtomicOperation::increment:
      return &atomic<T, AtomicOperation::increment>;
    case AtomicOperation::decrement:
      return &atomic<T, AtomicOperation::decrement>;
    default:
      if constexpr (std::is_same_v<T, std::uint64_t>) return pick_barrier(operation);
      return nullptr;
  }
}

}  // namespace

Handler select_atomic(Type type, AtomicOperation operation) {
  const bool adding = operation == AtomicOperation::add;
  switch (type) {
    case Type::u32:
    case Type::b32:
      return pick_integer<std::uint32_t>(operation);
    case Type::s32:
      return pick_integer<std::int32_t>(operation);
    case Type::u64:
    case Type::b64:
      return pick_integer<std::uint64_t>(operation);
    case Type::s64:
      return pick_integer<std::int64_t>(operation);
    case Type::b16:
    case Type::u16:
      return operation == AtomicOperation::compare_and_swap ? pick_integer<std::uint16_t>(operation) : nullptr;
    case Type::f32:
      return adding ? &atomic<float, AtomicOperation::add> : nullptr;
    case Type::f64:
      return adding ? &atomic<double, AtomicOperation::add> : nullptr;
    case Type::f16:
      return adding ? &atomic<Single<Half>, AtomicOperation::add> : nullptr;
    case Type::bf16:
      return adding ? &atomic<Single<Bfloat>, AtomicOperation::add> : nullptr;
    case Type::f16x2:
      return adding ? &atomic<Pair<Half>, AtomicOperation::add> : nullptr;
    case Type::bf16x2:
      return adding ? &atomic<Pair<Bfloat>, AtomicOperation::add> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
