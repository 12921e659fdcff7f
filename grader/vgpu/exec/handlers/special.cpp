// Special registers, parameters, arrays passed by value, packing, address spaces: what is rare or cheap anyway.
#include <bit>
#include <cstring>

#include "vgpu/exec/block.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/special_register.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;

template <class Visit>
void for_each_lane(LaneMask mask, Visit visit) {
  for (LaneMask left = mask; left != 0; left &= left - 1) visit(static_cast<std::uint32_t>(std::countr_zero(left)));
}

template <class T, class Value>
void set_lanes(std::byte* registers, std::uint32_t offset, LaneMask mask, Value value) {
  T* row = reinterpret_cast<T*>(registers + offset);
  if (mask != kAllLanes) {
    for_each_lane(mask, [&](std::uint32_t lane) { row[lane] = static_cast<T>(value(lane)); });
    return;
  }
  // Computed aside, where nothing that `value` reads could change meanwhile: a loop of vectors.
  T values[kWarpSize];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) values[lane] = static_cast<T>(value(lane));
  std::memcpy(row, values, sizeof values);
}

// Time as the block sees it: one tick for each instruction any of its warps executed. The same on every machine.
std::uint64_t ticks(const Warp* warp) {
  return warp->block->instructions + static_cast<std::uint64_t>(kTurn - warp->budget);
}

std::uint32_t lane_mask(Special special, std::uint32_t lane) {
  const std::uint32_t own = 1u << lane;
  switch (special) {
    case Special::lanemask_eq:
      return own;
    case Special::lanemask_lt:
      return own - 1;
    case Special::lanemask_le:
      return own | (own - 1);
    case Special::lanemask_gt:
      return ~(own | (own - 1));
    default:
      return ~(own - 1);
  }
}

template <Special kSpecial>
std::uint64_t special_value(const Warp* warp, std::uint32_t lane) {
  const Launch& launch = *warp->worker->launch;
  const LaunchConfig& config = launch.config;
  switch (kSpecial) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
      return warp->thread_index[static_cast<int>(kSpecial) - static_cast<int>(Special::tid_x)][lane];
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
      return config.block[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::ntid_x)];
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
      return warp->block->index[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::ctaid_x)];
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
      return config.grid[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::nctaid_x)];
    case Special::laneid:
      return lane;
    case Special::warpid:
      return warp->index;
    case Special::nwarpid:
      return warp->block->warps.size();
    case Special::smid:
      return warp->block->number % launch.multiprocessors;
    case Special::nsmid:
      return launch.multiprocessors;
    case Special::gridid:
      return launch.grid_number;
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
      return lane_mask(kSpecial, lane);
    case Special::clock:
    case Special::clock64:
    case Special::globaltimer:
    case Special::globaltimer_lo:
      return ticks(warp);
    case Special::clock_hi:
    case Special::globaltimer_hi:
      return ticks(warp) >> 32;
    case Special::total_smem_size:
      return launch.shared_bytes;
    case Special::dynamic_smem_size:
      return config.dynamic_shared_bytes;
    case Special::grid_workspace_high:
      return launch.grid_workspace >> 32;
    case Special::grid_workspace_low:
      return launch.grid_workspace;
    case Special::local_base:
      return warp->frame->local_base;
    case Special::zero:
      return 0;
    case Special::one:
      return 1;
  }
  return 0;
}

constexpr bool is_wide(Special special) {
  return special == Special::gridid || special == Special::clock64 || special == Special::globaltimer ||
         special == Special::local_base;
}

template <Special kSpecial>
const MicroOp* special(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  using T = std::conditional_t<is_wide(kSpecial), std::uint64_t, std::uint32_t>;
  set_lanes<T>(registers, op->d, mask, [&](std::uint32_t lane) { return special_value<kSpecial>(warp, lane); });
  return next(op, registers, warp, mask);
}

template <std::size_t... kIndex>
Handler pick_special(std::uint32_t which, std::index_sequence<kIndex...>) {
  static constexpr Handler kHandlers[] = {&special<static_cast<Special>(kIndex)>...};
  return which < sizeof...(kIndex) ? kHandlers[which] : nullptr;
}

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

// Arrays passed by value are rows of 4 bytes a lane. `a`: the first row, `immediate`: the byte offset in the array.
std::byte* blob_byte(std::byte* registers, std::uint32_t first_row, std::uint64_t offset, std::uint32_t lane) {
  return registers + first_row + offset / 4 * (4 * kWarpSize) + lane * 4 + offset % 4;
}

// A value that ends here may have its rows where one that begins here has its own: all is read before any is written.
template <class T, class R>
const MicroOp* load_blob(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->d, op->b, op->c, static_cast<std::uint32_t>(op->immediate >> 32)};
  T values[4][kWarpSize] = {};
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    const std::uint64_t offset = static_cast<std::uint32_t>(op->immediate) + e * sizeof(T);
    for_each_lane(mask, [&](std::uint32_t lane) {
      auto* bytes = reinterpret_cast<std::byte*>(&values[e][lane]);
      for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = *blob_byte(registers, op->a, offset + i, lane);
    });
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
    for_each_lane(mask, [&](std::uint32_t lane) { values[e][lane] = static_cast<T>(source[lane]); });
  }
  for (std::uint32_t e = 0; e < op->extra; ++e) {
    const std::uint64_t offset = static_cast<std::uint32_t>(op->immediate) + e * sizeof(T);
    for_each_lane(mask, [&](std::uint32_t lane) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&values[e][lane]);
      for (std::size_t i = 0; i < sizeof(T); ++i) *blob_byte(registers, op->a, offset + i, lane) = bytes[i];
    });
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
    for_each_lane(mask, [&](std::uint32_t lane) { std::memcpy(to + row + lane * 4, from + row + lane * 4, 4); });
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

// d = the pieces in rows a, b, c, extra, the first one lowest; `immediate` of them, of T each.
template <class T, class W>
const MicroOp* pack(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->a, op->b, op->c, op->extra};
  set_lanes<W>(registers, op->d, mask, [&](std::uint32_t lane) {
    W value = 0;
    for (std::uint64_t piece = 0; piece < op->immediate; ++piece) {
      const T part = reinterpret_cast<const T*>(registers + rows[piece])[lane];
      value = static_cast<W>(value | static_cast<W>(static_cast<W>(part) << (piece * (sizeof(W) / op->immediate) * 8)));
    }
    return value;
  });
  return next(op, registers, warp, mask);
}

template <class T, class W>
const MicroOp* unpack(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->d, op->b, op->c, op->extra};
  W values[kWarpSize];
  std::memcpy(values, registers + op->a, sizeof values);
  for (std::uint64_t piece = 0; piece < op->immediate; ++piece) {
    const auto shift = piece * (sizeof(W) / op->immediate) * 8;
    set_lanes<T>(registers, rows[piece], mask,
                 [&](std::uint32_t lane) { return static_cast<T>(values[lane] >> shift); });
  }
  return next(op, registers, warp, mask);
}

const MicroOp* unpack_bytes_of_half(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[2] = {op->d, op->b};
  std::uint16_t values[kWarpSize];
  std::memcpy(values, registers + op->a, sizeof values);
  for (std::uint32_t piece = 0; piece < 2; ++piece) {
    set_lanes<std::uint16_t>(registers, rows[piece], mask,
                             [&](std::uint32_t lane) { return values[lane] >> (8 * piece) & 0xFF; });
  }
  return next(op, registers, warp, mask);
}

Handler pick_pack(const ir::Operation& operation) {
  const bool packing = operation.opcode == Opcode::pack;
  const std::uint32_t whole = ptx::size_in_bytes(packing ? operation.type : operation.source_type);
  const std::size_t pieces = packing ? operation.uses.size() : operation.defs.size();
  if (whole == 8 && pieces == 2)
    return packing ? &pack<std::uint32_t, std::uint64_t> : &unpack<std::uint32_t, std::uint64_t>;
  if (whole == 8 && pieces == 4)
    return packing ? &pack<std::uint16_t, std::uint64_t> : &unpack<std::uint16_t, std::uint64_t>;
  if (whole == 4 && pieces == 2)
    return packing ? &pack<std::uint16_t, std::uint32_t> : &unpack<std::uint16_t, std::uint32_t>;
  if (whole == 2 && pieces == 2 && !packing) return &unpack_bytes_of_half;
  return nullptr;
}

// Lanes whose register holds what unset ones do. A value that is that by chance is as good as impossible.
template <class T>
const MicroOp* check_set(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  T pattern{};
  for (std::size_t i = 0; i < sizeof pattern; i += sizeof kUnsetBits)
    pattern = static_cast<T>(pattern << 16) | kUnsetBits;
  const T* values = reinterpret_cast<const T*>(registers + op->a);
  LaneMask unset = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    unset |= static_cast<LaneMask>(values[lane] == pattern) << lane;
  }
  if ((unset & mask) != 0) tell_unset_read(warp, op, unset & mask);
  return next(op, registers, warp, mask);
}

// Into which space does a generic address point? `extra`: the ptx::Space asked for.
const MicroOp* isspacep(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  LaneMask& result = *reinterpret_cast<LaneMask*>(registers + op->d);
  LaneMask holds = 0;
  for_each_lane(mask, [&](std::uint32_t lane) {
    bool inside = false;
    switch (static_cast<ptx::Space>(op->extra)) {
      case ptx::Space::shared:
        inside = window_of(addresses[lane]) == Window::shared;
        break;
      case ptx::Space::local:
        inside = window_of(addresses[lane]) == Window::local;
        break;
      case ptx::Space::param:
        inside = window_of(addresses[lane]) == Window::parameter;
        break;
      default: {
        const std::optional<Allocation> found = warp->worker->memory->find(addresses[lane]);
        const bool constant = found && found->kind == AllocationKind::constant;
        inside = static_cast<ptx::Space>(op->extra) == ptx::Space::constant
                     ? constant
                     : !constant && window_of(addresses[lane]) == Window::global;
        break;
      }
    }
    holds |= static_cast<LaneMask>(inside) << lane;
  });
  result = (result & ~mask) | holds;
  return next(op, registers, warp, mask);
}

const MicroOp* active_mask(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  set_lanes<std::uint32_t>(registers, op->d, mask, [&](std::uint32_t) { return mask; });
  return next(op, registers, warp, mask);
}

const MicroOp* fence(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const auto& observer : warp->block->observers) {
    observer->fence(warp->index, mask, static_cast<MemoryScope>(op->extra));
  }
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_special(std::uint32_t which) {
  return pick_special(which, std::make_index_sequence<static_cast<std::size_t>(Special::one) + 1>{});
}

Handler select_parameter(ir::Type type, std::uint32_t register_bytes) {
  return pick_type(ParameterAccess::kernel, type, register_bytes);
}

Handler select_frame_copy(bool to_frame) {
  return to_frame ? &copy_frame<true> : &copy_frame<false>;
}

Handler select_blob(ir::Type type, std::uint32_t register_bytes, bool storing) {
  return pick_type(storing ? ParameterAccess::store : ParameterAccess::load, type, register_bytes);
}

Handler select_other(const ir::Operation& operation) {
  switch (operation.opcode) {
    case Opcode::pack:
    case Opcode::unpack:
      return pick_pack(operation);
    case Opcode::check_set:
      return ptx::size_in_bytes(operation.type) == 8 ? &check_set<std::uint64_t> : &check_set<std::uint32_t>;
    case Opcode::isspacep:
      return &isspacep;
    case Opcode::active_mask:
      return &active_mask;
    case Opcode::fence:
      return &fence;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
