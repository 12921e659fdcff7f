// Threads come to the block's barriers, or exit, and a barrier completes when the last of them has.
#include "vgpu/exec/block_barriers.h"

#include <bit>
#include <cstring>

#include "vgpu/exec/block.h"
#include "vgpu/exec/cluster.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/frames.h"

namespace cudalabs::vgpu::exec {

namespace {

std::uint32_t lanes_in(LaneMask mask) {
  return static_cast<std::uint32_t>(std::popcount(mask));
}

std::uint32_t live_threads(const Block* block) {
  return block->threads - block->exited_threads;
}

std::uint32_t value_of(std::uint32_t offset, const Frame* frame, std::uint32_t lane) {
  std::uint32_t value = 0;
  std::memcpy(&value, frame->registers() + offset + lane * sizeof value, sizeof value);
  return value;
}

// Also those that are not active: what they hold is then as good as anything.
bool same_in_all_lanes(std::uint32_t offset, const Frame* frame) {
  std::uint32_t values[kWarpSize], difference = 0;
  std::memcpy(values, frame->registers() + offset, sizeof values);
  for (const std::uint32_t value : values) difference |= value ^ values[0];
  return difference == 0;
}

// The result of a reduction for the lanes of one split.
void write_reduction(const Split& split, const Barrier& barrier) {
  const MicroOp* op = split.waits_in;
  const auto kind = static_cast<BarrierKind>(op->extra % kBarrierHasCount);
  std::byte* row = split.frame->registers() + op->d;
  if (kind == BarrierKind::count_true) {
    for (const std::uint32_t lane : each_lane(split.mask)) {
      std::memcpy(row + lane * sizeof barrier.reduced_count, &barrier.reduced_count, sizeof barrier.reduced_count);
    }
  } else if (kind == BarrierKind::all_true || kind == BarrierKind::any_true) {
    const bool value =
        kind == BarrierKind::all_true ? barrier.reduced_count == barrier.reduced_total : barrier.reduced_count != 0;
    LaneMask predicate = 0;
    std::memcpy(&predicate, row, sizeof predicate);
    predicate = (predicate & ~split.mask) | (value ? split.mask : 0);
    std::memcpy(row, &predicate, sizeof predicate);
  }
}

void complete_barrier_if_ready(Block* block, std::uint32_t number) {
  Barrier& barrier = block->barriers[number];
  if (!barrier.in_use) return;
  const std::uint32_t needed = barrier.expected != 0 ? barrier.expected : live_threads(block);
  if (barrier.arrived < needed) return;
  const BarrierCompletion completion{.barrier = number,
                                     .participants = barrier.arrived,
                                     .exited = barrier.expected != 0 ? 0 : block->exited_threads,
                                     .whole_block = barrier.expected == 0};
  for (const auto& observer : block->observers) observer->barrier_complete(completion);
  for (const auto& warp : block->warps) {
    for (Split& split : warp->splits) {
      if (split.state != SplitState::at_barrier || split.barrier != number) continue;
      write_reduction(split, barrier);
      split.state = SplitState::ready;
      warp->runnable = true;
    }
  }
  barrier = {};
  ++block->phase;
  block->phase_begins = block->late_stores != nullptr;
}

}  // namespace

void threads_exited(Warp* warp, LaneMask lanes) {
  Block* block = warp->block;
  block->exited_threads += lanes_in(lanes);
  for (const auto& observer : block->observers) observer->thread_exit(warp->index, lanes);
  for (std::uint32_t number = 0; number < kBarriers; ++number) complete_barrier_if_ready(block, number);
  if (block->cluster != nullptr) threads_left_cluster(warp, lanes);
}

bool arrive_at_barrier(Warp* warp, const MicroOp* op, LaneMask lanes) {
  Block* block = warp->block;
  const auto kind = static_cast<BarrierKind>(op->extra % kBarrierHasCount);
  const bool has_count = (op->extra & kBarrierHasCount) != 0;
  if (kind >= BarrierKind::cluster_arrive) {
    meet_at_cluster(warp, op, lanes);
    return true;
  }
  while (lanes != 0) {
    // Usually all lanes name the same barrier.
    const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const std::uint32_t number = value_of(op->a, warp->frame, first);
    const std::uint32_t count = has_count ? value_of(op->b, warp->frame, first) : 0;
    LaneMask alike = 0;
    if (same_in_all_lanes(op->a, warp->frame) && (!has_count || same_in_all_lanes(op->b, warp->frame))) {
      alike = lanes;
    } else {
      for (const std::uint32_t lane : each_lane(lanes)) {
        const bool same =
            value_of(op->a, warp->frame, lane) == number && (!has_count || value_of(op->b, warp->frame, lane) == count);
        if (same) alike |= 1u << lane;
      }
    }
    if (number >= kBarriers || (has_count && count == 0)) {
      fail_block(block, LaunchError::illegal_instruction);
      block->error_instruction = op->instruction;
      return false;
    }
    const BarrierArrival arrival{.warp = warp->index,
                                 .instruction = op->instruction,
                                 .barrier = number,
                                 .lanes = alike,
                                 .arrive_only = kind == BarrierKind::arrive,
                                 .call = call_in_kernel(*warp->frame)};
    for (const auto& observer : block->observers) observer->barrier_arrive(arrival);
    Barrier& barrier = block->barriers[number];
    if (!barrier.in_use) barrier = {.expected = count, .in_use = true};
    barrier.arrived += lanes_in(alike);
    if (kind != BarrierKind::sync && kind != BarrierKind::arrive) {
      LaneMask predicate = 0;
      std::memcpy(&predicate, warp->frame->registers() + op->c, sizeof predicate);
      barrier.reduced_count += lanes_in(predicate & alike);
      barrier.reduced_total += lanes_in(alike);
    }
    Split split{.mask = alike, .at = op->target, .frame = warp->frame};
    if (kind != BarrierKind::arrive) {
      split.state = SplitState::at_barrier;
      split.waits_in = op;
      split.barrier = number;
    }
    warp->splits.push_back(split);
    complete_barrier_if_ready(block, number);
    lanes &= ~alike;
  }
  return true;
}

}  // namespace cudalabs::vgpu::exec
