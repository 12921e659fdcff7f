// What happens in the block, and each access lane by lane.
#include "vgpu/check/recorder_block.h"

#include <algorithm>

#include "vgpu/check/bulk_races.h"
#include "vgpu/check/cluster_life.h"
#include "vgpu/check/polled_words.h"
#include "vgpu/check/race_rules.h"

namespace cudalabs::vgpu {

void RecorderBlock::block_begin(const BlockInfo& block) {
  block_ = block.index;
  launch_.running.insert(block_);
  order_.begin(block);
  bulk_.begin_block();
  if (launch_.fences_matter) assumed_.begin(block);
  of_cluster_ = block.cluster_blocks > 1;
  cluster_ = block.cluster;
  cluster_began_ = false;
  running_threads_ = block.threads;
  if (of_cluster_) launch_.of_clusters[block_] = this;
  shared_.clear();
  counted_.clear();
  const std::uint32_t warps = (block.threads + kWarpSize - 1) / kWarpSize;
  drawn_.begin(warps);
  phase_accesses_.assign(warps, {});
  arrived_.assign(warps, 0);
}

void RecorderBlock::block_end(std::span<const InstructionCount>) {
  if (of_cluster_) {
    if (running_threads_ == 0) add_late_accesses(shared_, block_, order_, launch_.log);
    launch_.of_clusters.erase(block_);
  }
  forget_barrier();
  launch_.guesses.end_block(block_, launch_.log);
  launch_.running.erase(block_);
}

void RecorderBlock::access(const WarpAccess& a) {
  if (a.space == MemorySpace::local || a.space == MemorySpace::constant) return;
  RecorderBlock* owner = a.space == MemorySpace::cluster ? launch_.of_clusters.at(a.owner) : nullptr;
  if (owner != nullptr && !cluster_began_) {
    if (const auto early = access_before_begin(a, block_, order_)) launch_.log.add(*early);
  }
  record(a, owner);
  if (a.copy != 0) return;
  launch_.recorded += count_lanes(a.active);
  phase_accesses_[a.warp].add(a.instruction);
  const bool strong = a.order != MemoryOrder::weak || a.kind == AccessKind::atomic;
  if (strong && a.space != MemorySpace::shared) launch_.global_is_strong = true;
  // A value that nothing depends on tells its thread nothing: that others wrote before was luck.
  const bool learns = launch_.roles.of(a.instruction).use != LoadUse::none;
  order_.access(a, learns, owner == nullptr ? nullptr : &owner->order_);
  if (launch_.fences_matter) assumed_.access(a, learns);
  if (drawn_.note(a, launch_.roles.of(a.instruction))) launch_.draw = a.instruction;
}

void RecorderBlock::bulk_unfinished(const BulkUnfinished& end) {
  launch_.log.add(unfinished_copy(end, block_));
}

void RecorderBlock::store_begins(const WarpAccess& a) {
  if (a.copy != 0) return;
  record(a, nullptr);
  phase_accesses_[a.warp].add(a.instruction);
}

void RecorderBlock::barrier_complete(const BarrierCompletion& completion) {
  order_.complete(completion);
  if (launch_.fences_matter) assumed_.complete(completion);
  if (!completion.whole_block) return;
  for (PhaseAccesses& accesses : phase_accesses_) accesses.clear();
  drawn_.share();
}

void RecorderBlock::thread_exit(std::uint32_t warp, LaneMask lanes) {
  running_threads_ -= count_lanes(lanes);
  if (!of_cluster_) return;
  order_.arrive({.warp = warp, .instruction = 0, .lanes = lanes & ~arrived_[warp]}, launch_.barriers[cluster_]);
}

void RecorderBlock::forget_barrier() {
  const auto in_same_cluster = [&](const auto& running) { return running.second->cluster_ == cluster_; };
  if (launch_.barriers.empty() || std::ranges::any_of(launch_.of_clusters, in_same_cluster)) return;
  launch_.barriers.erase(cluster_);
}

void RecorderBlock::record(const WarpAccess& a, RecorderBlock* owner) {
  AccessHistory& history = owner != nullptr                 ? owner->shared_
                           : a.space == MemorySpace::global ? launch_.global
                                                            : shared_;
  PastAccess now;
  now.block = block_;
  now.cluster = cluster_;
  now.warp = a.warp;
  now.instruction = a.instruction;
  now.kind = a.kind;
  now.strong = a.order != MemoryOrder::weak || a.kind == AccessKind::atomic;
  now.scope = now.strong ? a.scope : MemoryScope::block;
  const InstructionRole role = launch_.roles.of(a.instruction);
  now.use = role.use;
  now.counts = role.counts;
  compares_ = role.compares_and_swaps;
  now.drawn = drawn_.known_by(a.warp);
  if (a.copy != 0) return record_copy(a, now, history);
  const bool may_poll = is_of_block_alone(a) && polls(now) && !compares_;
  for (LaneMask left = a.active; left != 0;) {
    const std::uint32_t lane = first_lane(left);
    const OrderedThread& t = order_.thread(first_thread(a.warp, left));
    now.epoch = t.released;
    if (launch_.fences_matter) now.assumed = assumed_.times(first_thread(a.warp, left));
    now.fenced = now.strong && now.writes() ? t.fenced : 0;
    if (may_poll && is_only_polled(history, a.address[lane], a.bytes)) {
      now.lanes = lanes_at(a, lane, left);
      left &= ~now.lanes;
      remember_poll(history, a.address[lane], a.bytes, now);
      continue;
    }
    // Lanes that read the same bytes in the same state are one access.
    now.lanes = a.kind == AccessKind::load ? lanes_like(a, lane, left) : 1u << lane;
    now.counted_before = looks_again(a, lane, role);
    if (now.counts && a.space == MemorySpace::global) counted_.insert(a.address[lane]);
    left &= ~now.lanes;
    reported_.clear();
    history.visit(a.address[lane], a.bytes, [&](AccessHistory::Cell& cell, std::uint64_t at, std::uint32_t) {
      if (now.strong && a.kind == AccessKind::store) now.updates = was_read_by(history, cell, now);
      check(history, cell, a, now, t, at);
    });
  }
}

void RecorderBlock::record_copy(const WarpAccess& a, PastAccess now, AccessHistory& history) {
  const CopyInBulk& copy = bulk_.copy(a.copy);
  const std::uint32_t thread = BulkOrder::thread_of(a.copy, a.kind == AccessKind::load);
  now.issuer = copy.thread;
  now.block = block_ | kCopiesOfBlock;
  now.warp = thread / kWarpSize;
  now.lanes = 1u << thread % kWarpSize;
  now.epoch = copy.began;
  ++launch_.recorded;
  reported_.clear();
  const std::uint64_t address = a.address[first_lane(a.active)];
  history.visit(address, a.bytes, [&](AccessHistory::Cell& cell, std::uint64_t at, std::uint32_t) {
    check(history, cell, a, now, copy.order, at);
  });
}

bool RecorderBlock::looks_again(const WarpAccess& a, std::uint32_t lane, const InstructionRole& role) const {
  const bool looks = a.kind == AccessKind::load || role.only_looks;
  return looks && role.use == LoadUse::question && a.space == MemorySpace::global && counted_.contains(a.address[lane]);
}

LaneMask RecorderBlock::lanes_at(const WarpAccess& a, std::uint32_t lane, LaneMask among) const {
  LaneMask result = 0;
  const Time epoch = order_.thread(first_thread(a.warp, 1u << lane)).released;
  for (LaneMask left = among; left != 0; left &= left - 1) {
    const bool same_place = a.address[first_lane(left)] == a.address[lane];
    if (same_place && order_.thread(first_thread(a.warp, left)).released == epoch) result |= 1u << first_lane(left);
  }
  return result;
}

LaneMask RecorderBlock::lanes_like(const WarpAccess& a, std::uint32_t lane, LaneMask among) const {
  LaneMask result = 0;
  const OrderedThread& t = order_.thread(a.warp * kWarpSize + lane);
  for (LaneMask left = among; left != 0; left &= left - 1) {
    const std::uint32_t other = first_lane(left);
    if (a.address[other] != a.address[lane]) continue;
    const OrderedThread& o = order_.thread(a.warp * kWarpSize + other);
    if (o.released == t.released && o.clock.shares_with(t.clock)) {
      result |= 1u << other;
    }
  }
  return result;
}

bool RecorderBlock::was_read_by(AccessHistory& history, const AccessHistory::Cell& cell,
                                const PastAccess& store) const {
  for (AccessHistory::Index i = cell.first; i != AccessHistory::kEnd; i = history.node(i).next) {
    const PastAccess& old = history.node(i).access;
    if (!of_one_warp(old, store) || (old.lanes & store.lanes) == 0) continue;
    return old.strong && old.kind == AccessKind::load;
  }
  return false;
}

}  // namespace cudalabs::vgpu
