// Copies, constants, packing, and the conversions between integers and to floating point that vectors do exactly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/move.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

using ir::Opcode;
using ir::Type;

template <class T>
T same(T a) {
  return a;
}

template <class T>
const MicroOp* set_constant(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const T value = immediate_as<T>(op->immediate);
  for_lanes(row<T>(registers, op->d), mask, [&](std::uint32_t) { return value; });
  return next(op, registers, warp, mask);
}

template <class T>
Handler pick_mov(unsigned immediates) {
  return immediates == 1 ? &set_constant<T> : immediates == 0 ? &Lanes<&same<T>>::run : nullptr;
}

/// Eight-bit values sit in rows of 16 bits a lane.
template <class T>
using Row = std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>, T>;

template <class D, class S>
Row<D> convert(Row<S> a) {
  return static_cast<Row<D>>(static_cast<D>(static_cast<S>(a)));
}

template <class S>
Handler pick_integer_target(Type type, unsigned immediates) {
  switch (type) {
    case Type::u8:
      return unary<&convert<std::uint8_t, S>>(immediates);
    case Type::s8:
      return unary<&convert<std::int8_t, S>>(immediates);
    case Type::u16:
    case Type::s16:
    case Type::b16:
      return unary<&convert<std::uint16_t, S>>(immediates);
    case Type::u32:
    case Type::s32:
    case Type::b32:
      return unary<&convert<std::uint32_t, S>>(immediates);
    case Type::u64:
    case Type::s64:
    case Type::b64:
      return unary<&convert<std::uint64_t, S>>(immediates);
    case Type::f32:
      return unary<&convert<float, S>>(immediates);
    case Type::f64:
      return unary<&convert<double, S>>(immediates);
    default:
      return nullptr;
  }
}

// Of NaN these keep the sign and the upper bits, and make it quiet: processors do as GPUs do.
float narrowed(double a) {
  return static_cast<float>(a);
}
double widened(float a) {
  return static_cast<double>(a);
}

// Towards zero, clamped to the type's range; NaN becomes 0.
std::int32_t to_s32(float a) {
  const double value = a != a ? 0.0 : static_cast<double>(a);
  const double low = value < -2147483648.0 ? -2147483648.0 : value;
  return static_cast<std::int32_t>(low > 2147483647.0 ? 2147483647.0 : low);
}

}  // namespace

Handler select_move_here(const ir::Operation& operation, unsigned immediates) {
  if (operation.opcode == Opcode::mov) {
    switch (ptx::size_in_bytes(operation.type)) {
      case 8:
        return pick_mov<std::uint64_t>(immediates);
      case 4:
        return pick_mov<std::uint32_t>(immediates);
      default:
        return pick_mov<std::uint16_t>(immediates);
    }
  }
  if (operation.opcode != Opcode::cvt || operation.saturate || operation.flag) return nullptr;
  const Type to = operation.type;
  const Type from = operation.source_type;
  if (from == Type::f32 || from == Type::f64) {
    if (operation.ftz) return nullptr;
    const bool nearest = operation.rounding == ir::Rounding::nearest_even || operation.rounding == ir::Rounding::none;
    if (from == Type::f32 && to == Type::f64 && nearest) return unary<&widened>(immediates);
    if (from == Type::f64 && to == Type::f32 && nearest) return unary<&narrowed>(immediates);
    if (from == Type::f32 && to == Type::s32 && operation.rounding == ir::Rounding::integer_zero) {
      return unary<&to_s32>(immediates);
    }
    return nullptr;
  }
  const bool to_float = to == Type::f32 || to == Type::f64;
  if (to_float && operation.rounding != ir::Rounding::nearest_even) return nullptr;
  switch (from) {
    case Type::u8:
      return pick_integer_target<std::uint8_t>(to, immediates);
    case Type::s8:
      return pick_integer_target<std::int8_t>(to, immediates);
    case Type::u16:
    case Type::b16:
      return pick_integer_target<std::uint16_t>(to, immediates);
    case Type::s16:
      return pick_integer_target<std::int16_t>(to, immediates);
    case Type::u32:
    case Type::b32:
      return pick_integer_target<std::uint32_t>(to, immediates);
    case Type::s32:
      return pick_integer_target<std::int32_t>(to, immediates);
    case Type::u64:
    case Type::b64:
      return pick_integer_target<std::uint64_t>(to, immediates);
    case Type::s64:
      return pick_integer_target<std::int64_t>(to, immediates);
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::vgpu::exec {

HWY_EXPORT(select_move_here);

Handler select_move(const ir::Operation& operation, unsigned immediates) {
  return HWY_DYNAMIC_DISPATCH(select_move_here)(operation, immediates);
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
