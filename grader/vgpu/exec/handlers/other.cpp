// What is rare or cheap anyway: checks of unset registers, address spaces, the active lanes, fences, ways past
// barriers.
#include <optional>

#include "vgpu/exec/block.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/handlers/set_lanes.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

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

/// Whether an offset in the window of shared memory is in the block's own.
bool is_of_block(std::uint64_t offset, const Block& block) {
  const std::uint64_t part = offset / kSharedPart;
  return part == 0 || part == std::uint64_t{block.rank} + 1;
}

bool points_into(ptx::Space space, bool of_cluster, std::uint64_t address, const Block& block) {
  GlobalMemory& memory = *block.worker->memory;
  const Window window = window_of(address);
  switch (space) {
    case ptx::Space::shared:
      return window == Window::shared && (of_cluster || is_of_block(address - kSharedBase, block));
    case ptx::Space::local:
      return window == Window::local;
    case ptx::Space::param:
      return window == Window::parameter;
    default: {
      const std::optional<Allocation> found = memory.find(address);
      const bool constant = found && found->kind == AllocationKind::constant;
      return space == ptx::Space::constant
                 ? constant
                 : !constant && (window == Window::global || (window == Window::host && memory.of_host(address) != 0));
    }
  }
}

// Into which space does a generic address point? `extra`: as ir::Operation::detail.
const MicroOp* isspacep(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  LaneMask& result = *reinterpret_cast<LaneMask*>(registers + op->d);
  LaneMask holds = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    const bool inside = points_into(static_cast<ptx::Space>(op->extra % ir::kOfCluster),
                                    (op->extra & ir::kOfCluster) != 0, addresses[lane], *warp->block);
    holds |= static_cast<LaneMask>(inside) << lane;
  }
  result = (result & ~mask) | holds;
  return next(op, registers, warp, mask);
}

// d = where a, an address in shared memory, lies in the block of rank b. `extra` 1: a is an offset, else generic.
const MicroOp* mapa(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  const auto* ranks = reinterpret_cast<const std::uint32_t*>(registers + op->b);
  const DeviceAddress base = op->extra != 0 ? 0 : kSharedBase;
  set_lanes<std::uint64_t>(registers, op->d, mask, [&](std::uint32_t lane) -> std::uint64_t {
    const std::uint64_t offset = addresses[lane] - base;
    if (offset >= kSharedWindow) return 0;  // of no block's shared memory: who uses it is told
    return base + shared_part_of(ranks[lane]) + offset % kSharedPart;
  });
  return next(op, registers, warp, mask);
}

// d = the rank of the block in whose shared memory a is. `extra` as for mapa.
const MicroOp* getctarank(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  const DeviceAddress base = op->extra != 0 ? 0 : kSharedBase;
  set_lanes<std::uint32_t>(registers, op->d, mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = addresses[lane] - base;
    if (offset >= kSharedWindow || is_of_block(offset, *warp->block)) return warp->block->rank;
    return static_cast<std::uint32_t>(offset / kSharedPart - 1);
  });
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

// `extra`: the early end.
const MicroOp* leave_barriers(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  LeavingWay way{.warp = warp->index, .lanes = mask, .branch = op->instruction, .early_end = std::nullopt};
  if (op->extra != ir::kNoEnd) way.early_end = op->extra;
  for (const auto& observer : warp->block->observers) observer->past_barriers(way);
  return next(op, registers, warp, mask);
}

// `extra`: the early end, which is this instruction, or the branch.
const MicroOp* leave_shuffles(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  LeavingWay way{.warp = warp->index, .lanes = mask, .branch = op->extra, .early_end = std::nullopt};
  if (op->extra == op->instruction) way.early_end = op->extra;
  for (const auto& observer : warp->block->observers) observer->past_shuffles(way);
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_other(const ir::Operation& operation) {
  switch (operation.opcode) {
    case ir::Opcode::check_set:
      return ptx::size_in_bytes(operation.type) == 8 ? &check_set<std::uint64_t> : &check_set<std::uint32_t>;
    case ir::Opcode::isspacep:
      return &isspacep;
    case ir::Opcode::mapa:
      return &mapa;
    case ir::Opcode::getctarank:
      return &getctarank;
    case ir::Opcode::active_mask:
      return &active_mask;
    case ir::Opcode::fence:
      return &fence;
    case ir::Opcode::leave_barriers:
      return &leave_barriers;
    case ir::Opcode::leave_shuffles:
      return &leave_shuffles;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
