// Integer arithmetic and logic that vector instructions do well.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/integer.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

using ir::Opcode;
using ir::Type;

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Arithmetic wraps: it is done without sign, in a type no smaller than int.
template <class T>
T wrap_add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <class T>
T wrap_sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <class T>
T wrap_mul(T a, T b) {
  using Wide = std::common_type_t<Unsigned<T>, unsigned>;
  return static_cast<T>(static_cast<Wide>(static_cast<Unsigned<T>>(a)) *
                        static_cast<Wide>(static_cast<Unsigned<T>>(b)));
}
template <class T>
T wrap_mad(T a, T b, T c) {
  return wrap_add<T>(wrap_mul<T>(a, b), c);
}

template <class W, class T>
W wide_mul(T a, T b) {
  return static_cast<W>(static_cast<W>(a) * static_cast<W>(b));
}
template <class W, class T>
W wide_mad(T a, T b, W c) {
  return wrap_add<W>(wide_mul<W, T>(a, b), c);
}
template <class W, class T>
T high_mul(T a, T b) {
  return static_cast<T>(wide_mul<W, T>(a, b) >> (8 * sizeof(T)));
}

template <class T>
T minimum(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T maximum(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T negated(T a) {
  return wrap_sub<T>(0, a);
}
template <class T>
T absolute(T a) {
  return a < 0 ? negated<T>(a) : a;
}
template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T bit_not(T a) {
  return static_cast<T>(~a);
}
template <class T>
T is_zero(T a) {
  return a == 0 ? 1 : 0;
}

// Shift amounts are clamped to the width: beyond it everything is shifted out.
template <class T>
T shift_left(T a, std::uint32_t by) {
  return by < 8 * sizeof(T) ? static_cast<T>(a << (by % (8 * sizeof(T)))) : T{0};
}
template <class T>
T shift_right(T a, std::uint32_t by) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(a >> (by < kBits ? by : kBits - 1));
  } else {
    return by < kBits ? static_cast<T>(a >> (by % kBits)) : T{0};
  }
}

// Address arithmetic: a scaled index plus a base.
std::uint64_t scaled_index(std::uint64_t a, std::uint64_t b, std::uint32_t shift) {
  return (a << shift) + b;
}

// d = (extend(a) << extra) + b, or + immediate.
template <class Index, bool kImmediate>
const MicroOp* lea(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  std::uint64_t* d = row<std::uint64_t>(registers, op->d);
  const Index* a = row<const Index>(registers, op->a);
  const std::uint32_t shift = op->extra;
  const auto extended = [&](std::uint32_t l) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(
        static_cast<std::conditional_t<std::is_signed_v<Index>, std::int64_t, std::uint64_t>>(a[l])));
  };
  if constexpr (kImmediate) {
    const std::uint64_t base = op->immediate;
    for_lanes(d, mask, [&](std::uint32_t l) { return scaled_index(extended(l), base, shift); });
  } else {
    const std::uint64_t* b = row<const std::uint64_t>(registers, op->b);
    for_lanes(d, mask, [&](std::uint32_t l) { return scaled_index(extended(l), b[l], shift); });
  }
  return next(op, registers, warp, mask);
}

template <class Index>
Handler lea_handler(unsigned immediates) {
  return immediates == 0 ? &lea<Index, false> : immediates == 2 ? &lea<Index, true> : nullptr;
}

template <class T>
Handler select_signless(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::add:
      return binary<&wrap_add<T>>(immediates);
    case Opcode::sub:
      return binary<&wrap_sub<T>>(immediates);
    case Opcode::mul_lo:
      return binary<&wrap_mul<T>>(immediates);
    case Opcode::mad_lo:
      return ternary<&wrap_mad<T>>(immediates);
    case Opcode::bit_and:
      return binary<&bit_and<T>>(immediates);
    case Opcode::bit_or:
      return binary<&bit_or<T>>(immediates);
    case Opcode::bit_xor:
      return binary<&bit_xor<T>>(immediates);
    case Opcode::bit_not:
      return unary<&bit_not<T>>(immediates);
    case Opcode::cnot:
      return unary<&is_zero<T>>(immediates);
    case Opcode::shl:
      return binary<&shift_left<T>>(immediates);
    default:
      return nullptr;
  }
}

template <class T>
Handler select_signed(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::min:
      return binary<&minimum<T>>(immediates);
    case Opcode::max:
      return binary<&maximum<T>>(immediates);
    case Opcode::shr:
      return binary<&shift_right<T>>(immediates);
    case Opcode::neg:
      return unary<&negated<T>>(immediates);
    case Opcode::abs:
      return unary<&absolute<T>>(immediates);
    default:
      return nullptr;
  }
}

template <class T, class W>
Handler select_wide(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::mul_wide:
      return binary<&wide_mul<W, T>>(immediates);
    case Opcode::mad_wide:
      return ternary<&wide_mad<W, T>>(immediates);
    case Opcode::mul_hi:
      return binary<&high_mul<W, T>>(immediates);
    default:
      return nullptr;
  }
}

Handler select_integer_level(const ir::Operation& operation, unsigned immediates) {
  if (operation.opcode == Opcode::address_lea) {
    switch (operation.source_type) {
      case Type::s32:
        return lea_handler<std::int32_t>(immediates);
      case Type::u32:
        return lea_handler<std::uint32_t>(immediates);
      default:
        return lea_handler<std::uint64_t>(immediates);
    }
  }
  Handler handler = nullptr;
  switch (operation.type) {
    case Type::b16:
    case Type::u16:
    case Type::s16:
      handler = select_signless<std::uint16_t>(operation, immediates);
      break;
    case Type::b32:
    case Type::u32:
    case Type::s32:
      handler = select_signless<std::uint32_t>(operation, immediates);
      break;
    case Type::b64:
    case Type::u64:
    case Type::s64:
      handler = select_signless<std::uint64_t>(operation, immediates);
      break;
    default:
      return nullptr;
  }
  if (handler != nullptr) return handler;
  switch (operation.type) {
    case Type::b16:
    case Type::u16:
      handler = select_signed<std::uint16_t>(operation, immediates);
      return handler != nullptr ? handler : select_wide<std::uint16_t, std::uint32_t>(operation, immediates);
    case Type::s16:
      handler = select_signed<std::int16_t>(operation, immediates);
      return handler != nullptr ? handler : select_wide<std::int16_t, std::int32_t>(operation, immediates);
    case Type::b32:
    case Type::u32:
      handler = select_signed<std::uint32_t>(operation, immediates);
      return handler != nullptr ? handler : select_wide<std::uint32_t, std::uint64_t>(operation, immediates);
    case Type::s32:
      handler = select_signed<std::int32_t>(operation, immediates);
      return handler != nullptr ? handler : select_wide<std::int32_t, std::int64_t>(operation, immediates);
    case Type::b64:
    case Type::u64:
      return select_signed<std::uint64_t>(operation, immediates);
    default:
      return select_signed<std::int64_t>(operation, immediates);
  }
}

}  // namespace

Handler select_integer_here(const ir::Operation& operation, unsigned immediates) {
  return select_integer_level(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::vgpu::exec {

HWY_EXPORT(select_integer_here);

Handler select_integer(const ir::Operation& operation, unsigned immediates) {
  return HWY_DYNAMIC_DISPATCH(select_integer_here)(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
