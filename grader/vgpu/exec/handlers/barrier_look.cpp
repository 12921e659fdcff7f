// mbarrier.test_wait, .try_wait: one look at a barrier in memory. A thread that waits looks again, in a loop.
#include <algorithm>
#include <bit>
#include <cstring>

#include "vgpu/exec/access.h"
#include "vgpu/exec/barrier_waits.h"
#include "vgpu/exec/barrier_word.h"
#include "vgpu/exec/bulk_copies.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

namespace {

struct Look {
  LaneMask passed = 0;
  std::uint64_t word = 0;  // that the first lane saw which does not pass
};

bool passes(const MicroOp* op, const std::byte* registers, std::uint32_t lane, std::uint64_t word) {
  const std::uint64_t state = reinterpret_cast<const std::uint64_t*>(registers + op->b)[lane];
  const std::uint64_t now = word >> barrier_word::kPhaseShift;
  return op->extra != 0 ? (now & 1) != (state & 1) : now != state >> barrier_word::kPhaseShift;
}

/// Copies in bulk are made when a thread waits for them, and no more of them than that takes.
void make_copies(const MicroOp* op, const std::byte* registers, Warp* warp, LaneMask mask) {
  Block* block = warp->block;
  const std::uint64_t size = warp->worker->launch->shared_bytes;
  for (const std::uint32_t lane : each_lane(mask)) {
    const std::uint64_t offset = warp->worker->addresses[lane] % kSharedPart;
    if (offset + sizeof(std::uint64_t) > size) continue;
    while (true) {
      std::uint64_t word = 0;
      std::memcpy(&word, block->shared + offset, sizeof word);
      if (passes(op, registers, lane, word) || !finish_copy_to_barrier(block, offset)) break;
    }
  }
}

Look passing(const MicroOp* op, const std::byte* registers, const Worker& worker, LaneMask mask) {
  Look look;
  for (const std::uint32_t lane : each_lane(mask)) {
    std::uint64_t word = 0;
    std::memcpy(&word, worker.values + lane * sizeof word, sizeof word);
    if (passes(op, registers, lane, word)) {
      look.passed |= 1u << lane;
    } else if (look.passed == (mask & ((1u << lane) - 1))) {
      look.word = word;
    }
  }
  return look;
}

const MicroOp* look_at(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const auto* base = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  std::uint64_t* addresses = warp->worker->addresses;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    addresses[lane] = (base[lane] + op->immediate) & descriptor.address_mask;
  if (warp->block->bulk != nullptr) make_copies(op, registers, warp, mask);
  careful_load(warp, op, descriptor, mask);
  const Look look = passing(op, registers, *warp->worker, mask);
  LaneMask result = 0;
  std::memcpy(&result, registers + op->d, sizeof result);
  result = (result & ~mask) | look.passed;
  std::memcpy(registers + op->d, &result, sizeof result);
  const auto first = static_cast<std::uint32_t>(std::countr_zero(mask & ~look.passed)) % kWarpSize;
  note_look(warp, op, mask, look.passed, addresses[first] % kSharedPart, look.word);
  charge_strong_access(warp);
  ++warp->looks;
  return next(op, registers, warp, mask);
}

}  // namespace

Handler barrier_look_handler() {
  return &look_at;
}

}  // namespace cudalabs::vgpu::exec
