// Who is ordered after whom among the threads of one block, and after threads of other blocks: their vector clocks, and
// the events that change them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/check/sync_locations.h"
#include "vgpu/check/vector_clock.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// What a thread knows, and what it has to hand over.
struct OrderedThread {
  ThreadClock clock;
  Time released = 0;  // the last release event: accesses from now on belong to this epoch
  Time fenced = 0;    // the last fence
  ThreadHandover released_by_fence;
  ThreadHandover seen;   // read by strong reads, takes effect with the next fence or barrier
  Time up_to = 0;        // the last barrier of the whole block that has taken effect here
  bool differs = false;  // in what that barrier gave to all

  /// Its block begins. Mostly there is nothing to forget.
  void begin(Time now) {
    clock.near.clear();
    clock.far.clear();
    released_by_fence.clear();
    seen.clear();
    fenced = 0;
    released = up_to = now;
    differs = false;
  }
};

/// What the barrier of a cluster hands over: of the phase that goes on, and of the last one that is over, which some
/// threads may not have waited for yet.
struct ClusterHandover {
  struct Phase {
    GridKnowledge knowledge;
    ThreadHandover released_by_fence;
  };
  Phase arriving, completed;
  std::uint64_t phases = 0;  // that are over

  void complete(std::uint64_t phase) {
    if (phase == phases) return;
    phases = phase;
    completed = std::exchange(arriving, {});
  }
};

/// The threads of one block at a time. `now` is the launch's clock, `global_sync` the strong locations of global
/// memory; both are shared by all blocks of the launch.
///
/// A barrier of the whole block gives the same to all threads. It takes effect for a thread when that is looked at
/// next: in a tree of sums most threads do nothing between two barriers, and to write to each of them was a fifth of
/// the time of a grading in which blocks hand sums over.
class BlockOrder {
 public:
  /// To find out what would be ordered if every strong write had a fence before it, every strong read one after it.
  struct Assumed {
    bool releases = false, acquires = false;
  };
  BlockOrder(Time& now, SyncLocations& global_sync) : BlockOrder(now, global_sync, {}) {}
  BlockOrder(Time& now, SyncLocations& global_sync, Assumed assumed)
      : now_(now), global_sync_(global_sync), assumed_(assumed) {}

  void begin(const BlockInfo& block);
  const OrderedThread& thread(std::uint32_t index) const { return settled(index); }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(threads_.size()); }
  std::uint64_t block() const { return block_; }

  void warp_sync(std::uint32_t warp, LaneMask lanes);
  void arrive(const BarrierArrival& arrival);
  void complete(const BarrierCompletion& completion);
  void fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope);
  void arrive(const ClusterArrival& arrival, ClusterHandover& barrier);
  void wait_for_cluster(std::uint32_t warp, LaneMask lanes, const ClusterHandover& barrier);
  /// What an access hands over or takes up; to be told after the access was judged. `learns`: what it reads may matter
  /// to its threads. `owner`: of an access to another block's shared memory, that block's.
  void access(const WarpAccess& access, bool learns = true, BlockOrder* owner = nullptr);
  /// For what goes on beside the threads, such as a copy in bulk. It begins after all that the thread has done so far;
  /// what the thread does from now on comes later.
  ThreadClock begin_beside(std::uint32_t index);
  /// Now, and never again.
  Time tick() { return ++now_; }
  /// The thread comes to know so much of `block`, which is none of threads.
  void learn(std::uint32_t index, std::uint64_t block, const BlockKnowledge& knowledge);
  /// Who acquires at this place of the block's shared memory comes to know so much.
  void hand_over(std::uint64_t address, const GridKnowledge& knowledge) {
    shared_sync_.hand_over(address, place_, knowledge);
  }
  /// All that some thread of the block knows of another block: what happened before the block's end. Null: nothing.
  std::optional<BlockKnowledge> known_at_end(std::uint64_t other) const;

 private:
  static constexpr std::size_t kBarriers = 16;
  struct Arrival {
    std::uint32_t warp;
    LaneMask lanes;
    Time time;
    bool waits;
  };
  struct Departure {
    GridKnowledge knowledge;
    ThreadHandover released;
  };
  /// What all threads of the block got at its last barrier, or when it began.
  struct Common {
    Time time = 0;
    GridKnowledge far;
    ThreadHandover released_by_fence;
  };

  OrderedThread& settled(std::uint32_t index) const {
    OrderedThread& thread = threads_[index];
    if (thread.up_to != common_.time) settle(thread);
    return thread;
  }
  void settle(OrderedThread& thread) const;
  void note_difference(std::uint32_t index);

  GridKnowledge handed_over_by(std::uint32_t thread, Time now) const;
  void fence_thread(std::uint32_t index, MemoryScope scope, Time now);
  void acquire(ThreadClock& clock, MemoryScope scope, const ThreadHandover& seen) const;
  void acquire_all(OrderedThread& thread) const;
  void join(const std::vector<Arrival>& arrivals, const std::vector<Departure>& departed);
  void join_block();
  void synchronize(const WarpAccess& access, bool learns, SyncLocations& sync);
  SyncLocations& sync_of(const WarpAccess& access, BlockOrder* owner) {
    if (owner != nullptr) return owner->shared_sync_;
    return access.space == MemorySpace::global ? global_sync_ : shared_sync_;
  }

  Time& now_;
  SyncLocations& global_sync_;
  Assumed assumed_;
  SyncLocations shared_sync_;
  std::uint64_t block_ = 0;
  BlockInCluster place_;
  mutable std::vector<OrderedThread> threads_;  // looking at one lets the last barrier take effect
  Common common_;
  std::vector<std::uint32_t> differing_;  // threads that know or hand over more than `common_`
  std::array<std::vector<Arrival>, kBarriers> arrivals_;
  std::array<std::vector<Departure>, kBarriers> departed_;
};

}  // namespace cudalabs::vgpu
