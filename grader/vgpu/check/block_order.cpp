// The synchronising events, one by one.
#include "vgpu/check/block_order.h"

#include <algorithm>
#include <optional>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

void BlockOrder::begin(const BlockInfo& block) {
  block_ = block.index;
  place_ = {block.index, block.cluster, block.cluster_blocks > 1};
  common_ = {.time = ++now_, .far = {}, .released_by_fence = {}};
  threads_.resize(block.threads);
  for (OrderedThread& thread : threads_) thread.begin(common_.time);
  differing_.clear();
  shared_sync_.clear();
  for (auto& arrivals : arrivals_) arrivals.clear();
  for (auto& departed : departed_) departed.clear();
}

void BlockOrder::warp_sync(std::uint32_t warp, LaneMask lanes) {
  join({{warp, lanes & lanes_of_warp(warp, threads()), ++now_, true}}, {});
}

void BlockOrder::arrive(const BarrierArrival& a) {
  if (a.barrier >= kBarriers) return;
  const Time now = ++now_;
  arrivals_[a.barrier].push_back({a.warp, a.lanes, now, !a.arrive_only});
  if (!a.arrive_only) return;
  // They go on at once, so what they know and did must be taken down now.
  for (LaneMask left = a.lanes; left != 0; left &= left - 1) {
    const std::uint32_t index = first_thread(a.warp, left);
    departed_[a.barrier].push_back({handed_over_by(index, now), settled(index).released_by_fence});
    settled(index).released = now;
  }
}

void BlockOrder::complete(const BarrierCompletion& completion) {
  if (completion.barrier >= kBarriers) return;
  if (completion.whole_block) {
    join_block();
  } else {
    join(arrivals_[completion.barrier], departed_[completion.barrier]);
  }
  arrivals_[completion.barrier].clear();
  departed_[completion.barrier].clear();
}

void BlockOrder::fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope) {
  const Time now = ++now_;  // times are compared thread by thread, so that all lanes may have the same
  for (LaneMask left = lanes; left != 0; left &= left - 1) fence_thread(first_thread(warp, left), scope, now);
}

/// As one who joins: all lanes come to know, and hand over, the same of each other's past in any case.
void BlockOrder::arrive(const ClusterArrival& a, ClusterHandover& barrier) {
  ClusterHandover::Phase& phase = barrier.arriving;
  const Time now = ++now_;
  ThreadClock joined;
  BlockKnowledge::Entries entries;
  for (LaneMask left = a.lanes; left != 0; left &= left - 1) {
    const std::uint32_t index = first_thread(a.warp, left);
    OrderedThread& t = settled(index);
    phase.released_by_fence.join(t.released_by_fence);
    if (!a.releases) {
      phase.knowledge.join(place_.of_several ? t.released_by_fence.of_cluster : t.released_by_fence.narrow);
      continue;
    }
    joined.join(t.clock);
    entries.push_back({index, now});
    t.released = now;
  }
  if (entries.empty()) return;
  joined.near.add(entries);
  phase.knowledge.join(joined.far);
  phase.knowledge.join(block_, joined.near);
}

void BlockOrder::wait_for_cluster(std::uint32_t warp, LaneMask lanes, const ClusterHandover& barrier) {
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint32_t index = first_thread(warp, left);
    OrderedThread& t = settled(index);
    acquire_all(t);
    t.clock.join(barrier.completed.knowledge, block_);
    t.released_by_fence.join(barrier.completed.released_by_fence);
    note_difference(index);
  }
}

std::optional<BlockKnowledge> BlockOrder::known_at_end(std::uint64_t other) const {
  std::optional<BlockKnowledge> all;
  for (std::uint32_t index = 0; index < threads(); ++index) {
    const BlockKnowledge* known = settled(index).clock.far.of(other);
    if (known == nullptr) continue;
    if (all) {
      all->join(*known);
    } else {
      all = *known;
    }
  }
  return all;
}

void BlockOrder::access(const WarpAccess& a, bool learns, BlockOrder* owner) {
  SyncLocations& sync = sync_of(a, owner);
  if (a.order != MemoryOrder::weak || a.kind == AccessKind::atomic) return synchronize(a, learns, sync);
  if (a.kind != AccessKind::store) return;
  for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) sync.overwrite(a.address[first_lane(lanes)]);
}

ThreadClock BlockOrder::begin_beside(std::uint32_t index) {
  OrderedThread& t = settled(index);
  const Time now = ++now_;
  ThreadClock clock = t.clock;
  clock.near.add(index, now);
  t.released = now;
  return clock;
}

void BlockOrder::learn(std::uint32_t index, std::uint64_t block, const BlockKnowledge& knowledge) {
  settled(index).clock.far.join(block, knowledge);
  note_difference(index);
}

/// All that `thread` is ordered after, and itself up to `now`.
GridKnowledge BlockOrder::handed_over_by(std::uint32_t thread, Time now) const {
  GridKnowledge all;
  all.join(block_, settled(thread).clock, thread, now);
  return all;
}

void BlockOrder::fence_thread(std::uint32_t index, MemoryScope scope, Time now) {
  OrderedThread& t = settled(index);
  acquire(t.clock, scope, t.seen);
  const GridKnowledge all = handed_over_by(index, now);
  t.released_by_fence.narrow.join(all);
  if (place_.of_several && scope != MemoryScope::block) t.released_by_fence.of_cluster.join(all);
  if (scope > MemoryScope::cluster) t.released_by_fence.wide.join(all);
  t.released = now;
  t.fenced = now;
  note_difference(index);
}

void BlockOrder::acquire(ThreadClock& clock, MemoryScope scope, const ThreadHandover& seen) const {
  clock.join(seen.narrow, block_);
  if (scope != MemoryScope::block && !seen.of_cluster.empty()) clock.join(seen.of_cluster, block_);
  if (scope > MemoryScope::cluster) clock.join(seen.wide, block_);
}

/// What strong reads saw takes effect at a barrier, too: the barrier orders the block's accesses, and published code
/// for a sum over blocks in one launch has no fence on the reading side.
void BlockOrder::acquire_all(OrderedThread& t) const {
  if (!t.seen.empty()) acquire(t.clock, MemoryScope::device, t.seen);
  t.seen = {};
}

/// The threads of a warp synchronisation or of a barrier with a thread count.
void BlockOrder::join(const std::vector<Arrival>& arrivals, const std::vector<Departure>& departed) {
  ThreadClock joined;
  ThreadHandover released;
  bool first = true;
  BlockKnowledge::Entries entries;
  for (const Arrival& a : arrivals) {
    for (LaneMask left = a.lanes; left != 0; left &= left - 1) {
      const std::uint32_t index = first_thread(a.warp, left);
      OrderedThread& t = settled(index);
      entries.push_back({index, a.time});
      if (!a.waits) continue;
      acquire_all(t);
      if (first) {
        joined = t.clock;
        first = false;
      } else {
        joined.join(t.clock);
      }
      released.join(t.released_by_fence);
    }
  }
  for (const Departure& d : departed) {
    joined.join(d.knowledge, block_);
    released.join(d.released);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.thread != b.thread ? a.thread < b.thread : a.time < b.time; });
  // A thread may arrive, go on, and arrive again: its later arrival is the one that counts.
  entries.erase(entries.begin(), std::unique(entries.rbegin(), entries.rend(), [](const auto& a, const auto& b) {
                                   return a.thread == b.thread;
                                 }).base());
  joined.near.add(entries);
  for (const Arrival& a : arrivals) {
    if (!a.waits) continue;
    for (LaneMask left = a.lanes; left != 0; left &= left - 1) {
      const std::uint32_t index = first_thread(a.warp, left);
      OrderedThread& t = settled(index);
      t.clock = joined;
      t.released = a.time;
      t.released_by_fence = released;
      note_difference(index);
    }
  }
}

/// A barrier of the whole block. Threads that have exited count as having arrived: that they did not is
/// BarrierChecker's business.
void BlockOrder::join_block() {
  ThreadClock joined{.near = {}, .far = common_.far};
  ThreadHandover released = common_.released_by_fence, seen;
  // Mostly no thread has learned anything of other blocks since the barrier before, or few have learned the same.
  const auto add = [](auto& sum, const auto* before, const auto& part) {
    if (before == nullptr || !before->shares_with(part)) sum.join(part);
    return &part;
  };
  const GridKnowledge* far = nullptr;
  const ThreadHandover *released_before = nullptr, *seen_before = nullptr;
  for (const std::uint32_t index : differing_) {
    const OrderedThread& t = threads_[index];
    far = add(joined.far, far, t.clock.far);
    released_before = add(released, released_before, t.released_by_fence);
    if (!t.seen.empty()) seen_before = add(seen, seen_before, t.seen);
  }
  acquire(joined, MemoryScope::device, seen);
  joined.far.make_room();
  released.wide.make_room();
  released.of_cluster.make_room();
  released.narrow.make_room();
  common_ = {.time = ++now_, .far = std::move(joined.far), .released_by_fence = std::move(released)};
  for (const std::uint32_t index : differing_) threads_[index].differs = false;
  differing_.clear();
}

void BlockOrder::settle(OrderedThread& t) const {
  // To find out that a thread has all of it takes less than to write it down.
  const auto take = [](auto& known, const auto& all) {
    if (!known.shares_with(all)) known = all;
  };
  t.clock.near.raise_base(common_.time);  // nothing later is known of the own block: it is all there is to know
  take(t.clock.far, common_.far);
  t.released = common_.time;
  take(t.released_by_fence, common_.released_by_fence);
  if (!t.seen.empty()) t.seen = {};
  t.up_to = common_.time;
}

/// To be called when the knowledge of a thread of other blocks, or what it hands over, may have changed.
void BlockOrder::note_difference(std::uint32_t index) {
  OrderedThread& t = threads_[index];
  if (t.differs) return;
  t.differs = !t.seen.empty() || !t.clock.far.shares_with(common_.far) ||
              !t.released_by_fence.shares_with(common_.released_by_fence);
  if (t.differs) differing_.push_back(index);
}

void BlockOrder::synchronize(const WarpAccess& a, bool learns, SyncLocations& sync) {
  const bool atomic = a.kind == AccessKind::atomic;
  const bool acquires = assumed_.acquires || a.order == MemoryOrder::acquire || a.order == MemoryOrder::acq_rel;
  const bool releases = assumed_.releases || a.order == MemoryOrder::release || a.order == MemoryOrder::acq_rel;
  const Time now = ++now_;  // as in fence()
  // Lanes that wait together know the same, read the same and learn the same.
  struct {
    std::uint64_t address = 0;
    ThreadClock clock;
    ThreadHandover seen;
    const OrderedThread* after = nullptr;
  } before;
  ThreadHandover seen;
  std::optional<std::uint64_t> seen_at;
  for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t lane = first_lane(lanes);
    const std::uint32_t index = first_thread(a.warp, lanes);
    OrderedThread& t = settled(index);
    if (a.kind == AccessKind::load) {
      const bool alike = before.after != nullptr && before.address == a.address[lane] &&
                         before.clock.shares_with(t.clock) && before.seen.shares_with(t.seen);
      if (alike) {
        t.clock = before.after->clock;
        t.seen = before.after->seen;
        note_difference(index);
        continue;
      }
      before = {a.address[lane], t.clock, t.seen, &t};
    }
    if (a.kind != AccessKind::store && learns && seen_at != a.address[lane]) {
      seen = {};
      sync.read(a.address[lane], place_, seen);
      if (a.kind == AccessKind::load) seen_at = a.address[lane];
    }
    if (a.kind != AccessKind::load) {
      sync.write(a.address[lane], atomic, place_, t.released_by_fence);
      if (releases) {
        sync.release(a.address[lane], place_, t.clock, index, now, a.scope);
        t.released = now;
      }
    }
    if (seen.empty()) continue;
    if (acquires) acquire(t.clock, a.scope, seen);
    // What came from the own block is known then.
    if (!acquires) t.seen.narrow.join(seen.narrow);
    if (!acquires || a.scope == MemoryScope::block) t.seen.of_cluster.join(seen.of_cluster);
    if (!acquires || a.scope <= MemoryScope::cluster) t.seen.wide.join(seen.wide);
    note_difference(index);
  }
}

}  // namespace cudalabs::vgpu
