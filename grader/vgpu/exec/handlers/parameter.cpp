// Parameters of kernels and functions: values, and arrays that are passed by value.
#include <cstring>
#include <type_traits>

#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/handlers/set_lanes.h"
#include "vgpu/exec/lane_words.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

// A kernel parameter is the same for all lanes. `immediate`: its place in the parameter buffer.
template <class T, class R>
const MicroOp* load_parameter(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->d, op->b, op->c, op->a};
  const std::byte* from = warp->worker->launch->parameters.data() + op->immediate;
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    T value;
    std::memcpy(&value, from + e * sizeof value, sizeof value);
    set_lanes<R>(registers, rows[e], mask, [&](std::uint32_t) { return value; });
  }
  return next(op, registers, warp, mask);
}

// Arrays passed by value are words of the lanes. `a`: the first one's row, `immediate`: the byte offset in the array.
//
// A value that ends here may have its rows where one that begins here has its own: all is read before any is written.
template <class T, class R>
const MicroOp* load_blob(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->d, op->b, op->c, static_cast<std::uint32_t>(op->immediate >> 32)};
  T values[4][kWarpSize] = {};
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    const std::uint64_t offset = static_cast<std::uint32_t>(op->immediate) + e * sizeof(T);
    for (const std::uint32_t lane : each_lane(mask)) {
      auto* bytes = reinterpret_cast<std::byte*>(&values[e][lane]);
      for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = *lane_byte(registers + op->a, offset + i, lane);
    }
  }
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    set_lanes<R>(registers, rows[e], mask, [&](std::uint32_t lane) { return values[e][lane]; });
  }
  return next(op, registers, warp, mask);
}

template <class T, class R>
const MicroOp* store_blob(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->b, op->c, op->d, static_cast<std::uint32_t>(op->immediate >> 32)};
  T values[4][kWarpSize] = {};
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    const R* source = reinterpret_cast<const R*>(registers + rows[e]);
    for (const std::uint32_t lane : each_lane(mask)) values[e][lane] = static_cast<T>(source[lane]);
  }
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    const std::uint64_t offset = static_cast<std::uint32_t>(op->immediate) + e * sizeof(T);
    for (const std::uint32_t lane : each_lane(mask)) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&values[e][lane]);
      for (std::size_t i = 0; i < sizeof(T); ++i) *lane_byte(registers + op->a, offset + i, lane) = bytes[i];
    }
  }
  return next(op, registers, warp, mask);
}

// Such an array to or from the frame's local memory, where it has the same form. `extra`: words, `immediate`: offset.
template <bool kToFrame>
const MicroOp* copy_frame(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  constexpr std::size_t kRow = std::size_t{4} * kWarpSize;
  std::byte* local = warp->local.get() + (warp->frame->local_base + op->immediate) / 4 * kRow;
  std::byte* to = kToFrame ? local : registers + op->a;
  const std::byte* from = kToFrame ? registers + op->a : local;
  for (std::size_t row = 0; row < op->extra * kRow; row += kRow) {
    for (const std::uint32_t lane : each_lane(mask)) std::memcpy(to + row + lane * 4, from + row + lane * 4, 4);
  }
  return next(op, registers, warp, mask);
}

enum class ParameterAccess { kernel, load, store };

template <class T, class R>
Handler pick_access(ParameterAccess access) {
  switch (access) {
    case ParameterAccess::kernel:
      return &load_parameter<T, R>;
    case ParameterAccess::load:
      return &load_blob<T, R>;
    case ParameterAccess::store:
      return &store_blob<T, R>;
  }
  return nullptr;
}

template <class T>
Handler pick_register(ParameterAccess access, std::uint32_t register_bytes) {
  constexpr bool kSigned = std::is_signed_v<T>;
  switch (register_bytes) {
    case 2:
      return pick_access<T, std::conditional_t<kSigned, std::int16_t, std::uint16_t>>(access);
    case 4:
      return pick_access<T, std::conditional_t<kSigned, std::int32_t, std::uint32_t>>(access);
    default:
      return pick_access<T, std::conditional_t<kSigned, std::int64_t, std::uint64_t>>(access);
  }
}

Handler pick_type(ParameterAccess access, ir::Type type, std::uint32_t register_bytes) {
  using ir::Type;
  switch (type) {
    case Type::s8:
      return pick_register<std::int8_t>(access, register_bytes);
    case Type::s16:
      return pick_register<std::int16_t>(access, register_bytes);
    case Type::s32:
      return pick_register<std::int32_t>(access, register_bytes);
    default:
      switch (ptx::size_in_bytes(type)) {
        case 1:
          return pick_register<std::uint8_t>(access, register_bytes);
        case 2:
          return pick_register<std::uint16_t>(access, register_bytes);
        case 4:
          return pick_register<std::uint32_t>(access, register_bytes);
        case 8:
          return pick_register<std::uint64_t>(access, register_bytes);
        default:
          return nullptr;
      }
  }
}

}  // namespace

Handler select_parameter(ir::Type type, std::uint32_t register_bytes) {
  return pick_type(ParameterAccess::kernel, type, register_bytes);
}

Handler select_frame_copy(bool to_frame) {
  return to_frame ? &copy_frame<true> : &copy_frame<false>;
}

Handler select_blob(ir::Type type, std::uint32_t register_bytes, bool storing) {
  return pick_type(storing ? ParameterAccess::store : ParameterAccess::load, type, register_bytes);
}

}  // namespace cudalabs::vgpu::exec
