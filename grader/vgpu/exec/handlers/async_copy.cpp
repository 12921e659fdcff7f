// cp.async: copies from global to shared memory that happen when they are waited for, so that code that reads the data
// before waiting gets what was there before. Observers hear of the store twice, when it may begin and when it is done.
#include <algorithm>
#include <cstring>

#include "vgpu/exec/access.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"

namespace cudalabs::vgpu::exec {

namespace {

/// The lanes of `mask` without those that copy what a lower one copies to the same place. A group of lanes that copies
/// less than a value each may have the rest copy the last one again: that is one copy, and races with nobody.
LaneMask without_repetitions(const PendingCopy& copy, LaneMask mask) {
  LaneMask different = 0;
  std::uint64_t furthest = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    bool repeats = false;
    if (different != 0 && copy.to[lane] <= furthest) {
      for (const std::uint32_t other : each_lane(different)) {
        repeats = copy.to[other] == copy.to[lane] && copy.from[other] == copy.from[lane] &&
                  copy.source_bytes[other] == copy.source_bytes[lane];
        if (repeats) break;
      }
    }
    if (!repeats) different |= 1u << lane;
    furthest = std::max(furthest, copy.to[lane]);
  }
  return different;
}

// Copies of one instruction wait together: the lanes' load, then the lanes' store.
void perform(Warp* warp, const PendingCopy& copy) {
  Worker* worker = warp->worker;
  const auto& load = *static_cast<const MemoryDescriptor*>(copy.op->data);
  const MemoryDescriptor& store = *worker->launch->code->memory[load.site + 1];
  const std::uint32_t bytes = copy.op->extra;
  std::byte values[kWarpSize * 16] = {};
  // Lanes may read fewer bytes than they write; the rest is zeros.
  for (std::uint32_t size : {16u, 8u, 4u}) {
    LaneMask lanes = 0;
    for (const std::uint32_t lane : each_lane(copy.lanes)) {
      if (copy.source_bytes[lane] == size) lanes |= 1u << lane;
    }
    if (lanes == 0) continue;
    MemoryDescriptor part = load;
    part.bytes = static_cast<std::uint8_t>(size);
    std::copy(std::begin(copy.from), std::end(copy.from), worker->addresses);
    careful_load(warp, copy.op, part, lanes);
    for (const std::uint32_t lane : each_lane(lanes)) {
      std::memcpy(values + lane * bytes, worker->values + lane * size, size);
    }
  }
  for (const std::uint32_t lane : each_lane(copy.lanes)) {
    const std::uint32_t size = copy.source_bytes[lane];
    if (size == 0 || size == 4 || size == 8 || size == 16) continue;
    for (std::uint32_t i = 0; i < size; ++i) {  // odd sizes, byte by byte
      MemoryDescriptor part = load;
      part.bytes = 1;
      worker->addresses[lane] = copy.from[lane] + i;
      careful_load(warp, copy.op, part, 1u << lane);
      values[lane * bytes + i] = worker->values[lane];
    }
  }
  std::memcpy(worker->values, values, sizeof values);
  std::copy(std::begin(copy.to), std::end(copy.to), worker->addresses);
  careful_store(warp, copy.op, store, copy.lanes);
}

const MicroOp* copy(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& load = *static_cast<const MemoryDescriptor*>(op->data);
  const MemoryDescriptor& store = *warp->worker->launch->code->memory[load.site + 1];
  PendingCopy pending;
  pending.op = op;
  pending.lanes = mask;
  const auto* to = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  const auto* from = reinterpret_cast<const std::uint64_t*>(registers + op->b);
  const auto* size = reinterpret_cast<const std::uint32_t*>(registers + op->c);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    pending.to[lane] = to[lane] & store.address_mask;
    pending.from[lane] = from[lane];
    pending.source_bytes[lane] = static_cast<std::uint8_t>(std::min(size[lane], op->extra));
    pending.group[lane] = warp->open_group[lane];
  }
  if (warp->block->early_copies) {
    pending.lanes = without_repetitions(pending, mask);
    perform(warp, pending);
    return next(op, registers, warp, mask);
  }
  warp->copies.push_back(pending);
  if (warp->block->watched) {
    std::copy(std::begin(pending.to), std::end(pending.to), warp->worker->addresses);
    announce_store(warp, op, store, without_repetitions(pending, mask));
  }
  return next(op, registers, warp, mask);
}

const MicroOp* commit(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) ++warp->open_group[lane];
  for (const auto& observer : warp->block->observers) observer->copies_committed(warp->index, mask);
  return next(op, registers, warp, mask);
}

// Until at most `extra` of the newest committed groups are pending; all ones: until nothing is, committed or not.
const MicroOp* wait(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const bool everything = op->extra == 0xFFFF'FFFF;
  for (PendingCopy& pending : warp->copies) {
    LaneMask due = 0;
    for (const std::uint32_t lane : each_lane(pending.lanes & mask)) {
      const std::uint64_t committed = warp->open_group[lane];
      if (everything || std::uint64_t{pending.group[lane]} + op->extra < committed) due |= 1u << lane;
    }
    if (due == 0) continue;
    PendingCopy now = pending;
    now.lanes = without_repetitions(pending, due);
    perform(warp, now);
    pending.lanes &= ~due;
  }
  std::erase_if(warp->copies, [](const PendingCopy& pending) { return pending.lanes == 0; });
  for (const auto& observer : warp->block->observers)
    observer->copies_waited(warp->index, mask, op->instruction, op->extra);
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_async(ir::Opcode opcode) {
  switch (opcode) {
    case ir::Opcode::async_copy:
      return &copy;
    case ir::Opcode::async_commit:
      return &commit;
    case ir::Opcode::async_wait:
      return &wait;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
