#include "vgpu/exec/cluster.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "vgpu/exec/block.h"
#include "vgpu/exec/block_barriers.h"

namespace cudalabs::vgpu::exec {

namespace {

std::uint32_t count_of(LaneMask lanes) {
  return static_cast<std::uint32_t>(std::popcount(lanes));
}

void tell_of_wait(Warp* warp, const MicroOp* op, LaneMask lanes) {
  if (warp->block->load_runs.waiting()) warp->block->load_runs.tell(warp->block);
  for (const auto& observer : warp->block->observers) observer->cluster_wait(warp->index, lanes, op->instruction);
}

/// Those that wait and may pass are ready; who waits without having arrived does so for ever.
void let_pass(Warp* warp) {
  std::vector<Split> passing;
  for (Split& split : warp->splits) {
    const LaneMask lanes = split.mask & warp->cluster_open;
    if (split.state != SplitState::at_cluster || lanes == 0) continue;
    tell_of_wait(warp, split.waits_in, lanes);
    passing.push_back({.mask = lanes, .at = split.at, .frame = split.frame});
    split.mask &= ~lanes;
    warp->cluster_open &= ~lanes;
  }
  if (passing.empty()) return;
  std::erase_if(warp->splits, [](const Split& split) { return split.mask == 0; });
  warp->splits.insert(warp->splits.end(), passing.begin(), passing.end());
  warp->runnable = true;
}

void complete_cluster_barrier(Cluster& cluster) {
  ClusterBarrier& barrier = cluster.barrier;
  std::uint32_t threads = 0, exited = 0;
  for (const Block* block : cluster.blocks) {
    threads += block->threads;
    exited += block->exited_threads;
  }
  const std::uint32_t missed = exited - barrier.left;  // that have exited without arriving
  if (barrier.arrived == barrier.left || barrier.arrived + missed < threads) return;
  ClusterCompletion completion{.phase = ++barrier.phase, .exited = missed};
  std::optional<std::uint64_t> without;
  for (const Block* block : cluster.blocks) {
    std::uint32_t here = 0;
    for (const auto& warp : block->warps) here += count_of(warp->cluster_arrived);
    if (here < block->threads && (!without || block->number < *without)) without = block->number;
  }
  completion.exited_block = without.value_or(0);
  barrier.arrived = barrier.left = 0;
  for (Block* block : cluster.blocks) {
    if (block->exited_threads == block->threads) continue;
    for (const auto& observer : block->observers) observer->cluster_complete(completion);
  }
  for (Block* block : cluster.blocks) {
    for (const auto& warp : block->warps) {
      warp->cluster_open |= warp->cluster_arrived & ~warp->exited;
      warp->cluster_arrived = 0;
      let_pass(warp.get());
    }
    ++block->phase;
    block->phase_begins = block->late_stores != nullptr;
  }
}

}  // namespace

Peer peer_of(const Block& block, std::uint32_t rank) {
  if (block.cluster == nullptr || rank >= block.cluster->blocks.size()) return {.missing = true};
  Block* peer = block.cluster->blocks[rank];
  return {.block = peer, .has_ended = peer->exited_threads == peer->threads};
}

void meet_at_cluster(Warp* warp, const MicroOp* op, LaneMask lanes) {
  Block* block = warp->block;
  const auto kind = static_cast<BarrierKind>(op->extra % kBarrierHasCount);
  Split split{.mask = lanes, .at = op->target, .frame = warp->frame};
  if (kind == BarrierKind::cluster_wait) {
    split.state = SplitState::at_cluster;
    split.waits_in = op;
    warp->splits.push_back(split);
    return let_pass(warp);
  }
  const ClusterArrival arrival{.warp = warp->index,
                               .instruction = op->instruction,
                               .lanes = lanes,
                               .releases = kind == BarrierKind::cluster_arrive,
                               .again = lanes & (warp->cluster_arrived | warp->cluster_open)};
  if (block->load_runs.waiting()) block->load_runs.tell(block);
  for (const auto& observer : block->observers) observer->cluster_arrive(arrival);
  warp->splits.push_back(split);
  block->cluster->barrier.arrived += count_of(lanes & ~warp->cluster_arrived);
  warp->cluster_arrived |= lanes;
  warp->cluster_open &= ~lanes;
  complete_cluster_barrier(*block->cluster);
}

void threads_left_cluster(Warp* warp, LaneMask lanes) {
  ClusterBarrier& barrier = warp->block->cluster->barrier;
  barrier.left += count_of(lanes & warp->cluster_arrived);
  complete_cluster_barrier(*warp->block->cluster);
}

bool waits_for_cluster(const Block& block) {
  return std::ranges::any_of(block.warps, [](const auto& warp) {
    return std::ranges::any_of(warp->splits, [](const Split& split) { return split.state == SplitState::at_cluster; });
  });
}

bool is_stuck(const Cluster& cluster) {
  return std::ranges::none_of(cluster.blocks, [](const Block* block) {
    return std::ranges::any_of(block->warps, [](const auto& warp) { return !warp->done() && warp->runnable; });
  });
}

}  // namespace cudalabs::vgpu::exec
