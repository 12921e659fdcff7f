// Comparisons into predicates, choices by predicates, and branches that compare.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/compare.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include "vgpu/exec/handlers/branch-inl.h"
#include "vgpu/exec/handlers/comparison.h"
#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using ir::Compare;
using ir::Opcode;
using ir::Type;

/// One vector comparison; NaN fails all of them.
template <Compare kRelation, class V>
HWY_INLINE auto compare_vectors(V a, V b) {
  if constexpr (kRelation == Compare::eq) {
    return hn::Eq(a, b);
  } else if constexpr (kRelation == Compare::ne) {
    return hn::Or(hn::Lt(a, b), hn::Lt(b, a));
  } else if constexpr (kRelation == Compare::num) {
    return hn::And(hn::Eq(a, a), hn::Eq(b, b));
  } else if constexpr (kRelation == Compare::lt) {
    return hn::Lt(a, b);
  } else if constexpr (kRelation == Compare::le) {
    return hn::Le(a, b);
  } else if constexpr (kRelation == Compare::gt) {
    return hn::Lt(b, a);
  } else {
    return hn::Le(b, a);
  }
}

template <Compare kRelation, class T>
HWY_INLINE bool compare_values(T a, T b) {
  if constexpr (kRelation == Compare::eq) {
    return a == b;
  } else if constexpr (kRelation == Compare::ne) {
    return a < b || b < a;
  } else if constexpr (kRelation == Compare::num) {
    return a == a && b == b;
  } else if constexpr (kRelation == Compare::lt) {
    return a < b;
  } else if constexpr (kRelation == Compare::le) {
    return a <= b;
  } else if constexpr (kRelation == Compare::gt) {
    return b < a;
  } else {
    return b <= a;
  }
}

template <bool kFlush, class T>
HWY_INLINE T value_in(T value) {
  if constexpr (kFlush) {
    return flushed(value);
  } else {
    return value;
  }
}
template <bool kFlush, class D, class V>
HWY_INLINE V vector_in(D d, V value) {
  if constexpr (kFlush) {
    const auto tiny = hn::Lt(hn::Abs(value), hn::Set(d, std::numeric_limits<hn::TFromD<D>>::min()));
    return hn::IfThenZeroElse(tiny, value);
  } else {
    return value;
  }
}

/// One bit a lane: relation(a[l], b[l]), or relation(a[l], constant).
template <class T, Compare kRelation, bool kImmediate, bool kFlush>
HWY_INLINE LaneMask compare_rows(const T* a, const T* b, T constant) {
  LaneMask result = 0;
#if HWY_TARGET == HWY_SCALAR
  for (std::uint32_t l = 0; l < kWarpSize; ++l) {
    const bool holds =
        compare_values<kRelation>(value_in<kFlush>(a[l]), value_in<kFlush>(kImmediate ? constant : b[l]));
    result |= static_cast<LaneMask>(holds) << l;
  }
#else
  const hn::CappedTag<T, kWarpSize> d;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<T, kWarpSize>{});
  const auto fixed = vector_in<kFlush>(d, hn::Set(d, constant));
  for (std::size_t i = 0; i < kWarpSize; i += kLanes) {
    const auto left = vector_in<kFlush>(d, hn::Load(d, a + i));
    const auto right = kImmediate ? fixed : vector_in<kFlush>(d, hn::Load(d, b + i));
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, compare_vectors<kRelation>(left, right), bytes);
    LaneMask part = 0;
    std::memcpy(&part, bytes, sizeof part);
    result |= part << i;
  }
#endif
  return result;
}

/// `extra` is all ones when the complement of the relation is meant, else 0.
template <class T, Compare kRelation, bool kImmediate, bool kFlush>
HWY_INLINE LaneMask compare_operands(const MicroOp* op, std::byte* registers) {
  const T* b = kImmediate ? nullptr : row<const T>(registers, op->b);
  return op->extra ^ compare_rows<T, kRelation, kImmediate, kFlush>(row<const T>(registers, op->a), b,
                                                                    immediate_as<T>(op->immediate));
}

HWY_INLINE LaneMask& predicate(std::byte* registers, std::uint32_t offset) {
  return *reinterpret_cast<LaneMask*>(registers + offset);
}

HWY_INLINE void assign(LaneMask& predicate, LaneMask value, LaneMask mask) {
  predicate = (predicate & ~mask) | (value & mask);
}

// d = relation(a, b)
template <class T, Compare kRelation, bool kImmediate, bool kFlush>
const MicroOp* setp(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  assign(predicate(registers, op->d), compare_operands<T, kRelation, kImmediate, kFlush>(op, registers), mask);
  return next(op, registers, warp, mask);
}

// The lanes for which the relation holds go to `target`, the others to `next`.
template <class T, Compare kRelation, bool kImmediate, bool kFlush>
const MicroOp* branch_compare(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  return branch(op, registers, warp, mask, compare_operands<T, kRelation, kImmediate, kFlush>(op, registers) & mask);
}

template <class T, Compare kRelation, bool kFlush>
Handler pick(Opcode opcode, unsigned immediates) {
  if (immediates != 0 && immediates != 2) return nullptr;
  if (opcode == Opcode::setp) {
    return immediates == 0 ? &setp<T, kRelation, false, kFlush> : &setp<T, kRelation, true, kFlush>;
  }
  return immediates == 0 ? &branch_compare<T, kRelation, false, kFlush> : &branch_compare<T, kRelation, true, kFlush>;
}

template <class T, bool kFlush = false>
Handler pick_relation(Opcode opcode, Compare relation, unsigned immediates) {
  switch (relation) {
    case Compare::eq:
      return pick<T, Compare::eq, kFlush>(opcode, immediates);
    case Compare::lt:
      return pick<T, Compare::lt, kFlush>(opcode, immediates);
    case Compare::gt:
      return pick<T, Compare::gt, kFlush>(opcode, immediates);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    switch (relation) {
      case Compare::le:
        return pick<T, Compare::le, kFlush>(opcode, immediates);
      case Compare::ge:
        return pick<T, Compare::ge, kFlush>(opcode, immediates);
      case Compare::ne:
        return pick<T, Compare::ne, kFlush>(opcode, immediates);
      default:
        return pick<T, Compare::num, kFlush>(opcode, immediates);
    }
  }
  return nullptr;
}

// Predicates are masks already.
template <Opcode kOpcode>
const MicroOp* combine(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const LaneMask a = predicate(registers, op->a);
  LaneMask value = 0;
  if constexpr (kOpcode == Opcode::bit_and) {
    value = a & predicate(registers, op->b);
  } else if constexpr (kOpcode == Opcode::bit_or) {
    value = a | predicate(registers, op->b);
  } else if constexpr (kOpcode == Opcode::bit_xor) {
    value = a ^ predicate(registers, op->b);
  } else if constexpr (kOpcode == Opcode::bit_not) {
    value = ~a;
  } else {
    value = a;
  }
  assign(predicate(registers, op->d), value, mask);
  return next(op, registers, warp, mask);
}

const MicroOp* set_constant(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  assign(predicate(registers, op->d), op->immediate != 0 ? kAllLanes : 0, mask);
  return next(op, registers, warp, mask);
}

// The lanes for which the predicate holds (complemented by `extra`) go to `target`, the others to `next`.
const MicroOp* branch_if(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  return branch(op, registers, warp, mask, (predicate(registers, op->a) ^ op->extra) & mask);
}

Handler pick_predicate(Opcode opcode, unsigned immediates) {
  if (opcode == Opcode::mov && immediates == 1) return &set_constant;
  if (immediates != 0) return nullptr;
  switch (opcode) {
    case Opcode::bit_and:
      return &combine<Opcode::bit_and>;
    case Opcode::bit_or:
      return &combine<Opcode::bit_or>;
    case Opcode::bit_xor:
      return &combine<Opcode::bit_xor>;
    case Opcode::bit_not:
      return &combine<Opcode::bit_not>;
    case Opcode::mov:
      return &combine<Opcode::mov>;
    default:
      return nullptr;
  }
}

// d = c ? a : b, by the predicate in c.
template <class T, unsigned kImmediates>
const MicroOp* selp(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  T* d = row<T>(registers, op->d);
  const T* a = row<const T>(registers, op->a);
  const T* b = row<const T>(registers, op->b);
  const T constant = immediate_as<T>(op->immediate);
  const LaneMask chosen = predicate(registers, op->c);
  for_lanes(d, mask, [&](std::uint32_t l) {
    const T yes = kImmediates == 1 ? constant : a[l];
    const T no = kImmediates == 2 ? constant : b[l];
    return lane_is_in<T>(chosen, l) ? yes : no;
  });
  return next(op, registers, warp, mask);
}

template <class T>
Handler pick_selp(unsigned immediates) {
  switch (immediates) {
    case 0:
      return &selp<T, 0>;
    case 1:
      return &selp<T, 1>;
    case 2:
      return &selp<T, 2>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_compare_here(const ir::Operation& operation, unsigned immediates) {
  const Opcode opcode = operation.opcode;
  if (opcode == Opcode::branch) return immediates == 0 ? &branch_if : nullptr;
  if (opcode == Opcode::selp) {
    switch (ptx::size_in_bytes(operation.type)) {
      case 8:
        return pick_selp<std::uint64_t>(immediates);
      case 4:
        return pick_selp<std::uint32_t>(immediates);
      default:
        return pick_selp<std::uint16_t>(immediates);
    }
  }
  if (operation.type == Type::pred) return pick_predicate(opcode, immediates);
  if (opcode != Opcode::setp && opcode != Opcode::branch_compare) return nullptr;
  const bool floating = operation.type == Type::f32 || operation.type == Type::f64;
  const Compare relation = normalized(operation.compare, floating).relation;
  switch (operation.type) {
    case Type::b32:
    case Type::u32:
      return pick_relation<std::uint32_t>(opcode, relation, immediates);
    case Type::s32:
      return pick_relation<std::int32_t>(opcode, relation, immediates);
    case Type::b64:
    case Type::u64:
      return pick_relation<std::uint64_t>(opcode, relation, immediates);
    case Type::s64:
      return pick_relation<std::int64_t>(opcode, relation, immediates);
    case Type::b16:
    case Type::u16:
      return pick_relation<std::uint16_t>(opcode, relation, immediates);
    case Type::s16:
      return pick_relation<std::int16_t>(opcode, relation, immediates);
    case Type::f32:
      return operation.ftz ? pick_relation<float, true>(opcode, relation, immediates)
                           : pick_relation<float>(opcode, relation, immediates);
    case Type::f64:
      return pick_relation<double>(opcode, relation, immediates);
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::vgpu::exec {

HWY_EXPORT(select_compare_here);

Handler select_compare(const ir::Operation& operation, unsigned immediates) {
  return HWY_DYNAMIC_DISPATCH(select_compare_here)(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
