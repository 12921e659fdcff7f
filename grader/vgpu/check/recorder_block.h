// One block in the eyes of the exact race recorder: what each thread knows of the others, and who has accessed what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

#include "vgpu/check/access_history.h"
#include "vgpu/check/block_order.h"
#include "vgpu/check/bulk_order.h"
#include "vgpu/check/counter_reads.h"
#include "vgpu/check/drawn_numbers.h"
#include "vgpu/check/guesses.h"
#include "vgpu/check/instruction_roles.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/check/missing_fence.h"
#include "vgpu/check/phase_accesses.h"
#include "vgpu/check/reported_races.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

class RecorderBlock;

/// What the blocks of one launch share.
struct RecordedLaunch {
  explicit RecordedLaunch(const InstructionRoles& of_program) : roles(of_program) {}
  const InstructionRoles& roles;
  AccessHistory global;
  SyncLocations global_sync;
  AssumedOrders assumed;
  bool fences_matter = true;      // some instruction may hand data from block to block
  bool copies_in_bulk = false;    // the kernel may
  bool global_is_strong = false;  // some access to global memory was
  std::uint64_t recorded = 0;     // accesses of lanes
  CounterReads counter_reads;
  std::uint32_t draw = 0;           // the instruction that drew a number last
  std::set<std::uint64_t> running;  // blocks
  Guesses guesses;
  LaunchLog log;
  Time now = 0;
  std::map<std::uint64_t, RecorderBlock*> of_clusters;  // blocks that run, by number, in launches of clusters
  std::map<std::uint64_t, ClusterHandover> barriers;    // by cluster
};

/// Takes part in one launch; several blocks may take turns, on one thread of the host.
class RecorderBlock : public BlockObserver {
 public:
  explicit RecorderBlock(RecordedLaunch& launch)
      : launch_(launch), order_(launch.now, launch.global_sync), assumed_(launch.assumed), bulk_(order_) {}

  Interests interests() const override { return {.counts = false}; }

  void block_begin(const BlockInfo& block) override;
  void block_end(std::span<const InstructionCount>) override;

  void access(const WarpAccess& a) override;
  void store_begins(const WarpAccess& a) override;

  void bulk_begins(const BulkBegin& begin) override { bulk_.begin(begin); }
  void bulk_done(const BulkDone& done) override {
    bulk_.done(done, done.owner == block_ ? order_ : launch_.of_clusters.at(done.owner)->order_);
  }
  void bulk_waited(std::uint32_t copy, std::uint32_t warp, std::uint32_t lane, bool only_reads) override {
    bulk_.waited(copy, first_thread(warp, 1u << lane), only_reads);
  }
  void proxy_fence(std::uint32_t warp, LaneMask lanes) override { bulk_.fence(warp, lanes); }
  void bulk_unfinished(const BulkUnfinished& end) override;

  void warp_sync(std::uint32_t warp, LaneMask lanes, std::uint32_t) override {
    order_.warp_sync(warp, lanes);
    if (launch_.fences_matter) assumed_.warp_sync(warp, lanes);
  }
  void barrier_arrive(const BarrierArrival& arrival) override {
    order_.arrive(arrival);
    if (launch_.fences_matter) assumed_.arrive(arrival);
  }
  void barrier_complete(const BarrierCompletion& completion) override;

  void cluster_arrive(const ClusterArrival& arrival) override {
    order_.arrive(arrival, launch_.barriers[cluster_]);
    arrived_[arrival.warp] |= arrival.lanes;
  }
  void cluster_complete(const ClusterCompletion& completion) override {
    launch_.barriers[cluster_].complete(completion.phase);
    std::ranges::fill(arrived_, 0);
  }
  void cluster_wait(std::uint32_t warp, LaneMask lanes, std::uint32_t) override {
    order_.wait_for_cluster(warp, lanes, launch_.barriers[cluster_]);
    cluster_began_ = true;
  }
  /// Threads that have exited count as having arrived at the cluster's barrier, as at the block's.
  void thread_exit(std::uint32_t warp, LaneMask lanes) override;
  void fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope) override {
    order_.fence(warp, lanes, scope);
    if (launch_.fences_matter) assumed_.fence(warp, lanes, scope);
  }

 private:
  /// The blocks of a cluster run at the same time: behind the last of them nobody comes to its barrier.
  void forget_barrier();

  // recorder_block.cpp: an access, lane by lane.
  /// `owner`: of another block's shared memory, that block's.
  void record(const WarpAccess& a, RecorderBlock* owner);
  /// Of a copy in bulk, `now` but for when and by whom.
  void record_copy(const WarpAccess& a, PastAccess now, AccessHistory& history);
  /// A question of a counter in which threads of the block have counted; who waits for it may look as often as it
  /// likes.
  bool looks_again(const WarpAccess& a, std::uint32_t lane, const InstructionRole& role) const;
  /// The lanes that access the same bytes in the same epoch.
  LaneMask lanes_at(const WarpAccess& a, std::uint32_t lane, LaneMask among) const;
  LaneMask lanes_like(const WarpAccess& a, std::uint32_t lane, LaneMask among) const;
  /// Was the last access of the thread (of `store`, which is about to follow) to the cell a strong read?
  bool was_read_by(AccessHistory& history, const AccessHistory::Cell& cell, const PastAccess& store) const;

  // recorder_cells.cpp: an access against those that the bytes remember.
  /// The lanes of `old` that a thread with this clock is not ordered after, program order aside.
  LaneMask unordered(const PastAccess& old, const ThreadClock& clock) const;
  /// The lanes of `old` that need not be remembered beside `now`, which covers it: those ordered before it, and those
  /// that the race with it has been reported of.
  static LaneMask forgettable(const PastAccess& old, const PastAccess& now, LaneMask unordered_lanes, LaneMask against,
                              bool same_warp);
  void check(AccessHistory& history, AccessHistory::Cell& cell, const WarpAccess& a, const PastAccess& now,
             const OrderedThread& t, std::uint64_t at);
  /// `lanes` of an access come before the copy has begun.
  void look_for_fence(const WarpAccess& a, const PastAccess& old, LaneMask lanes, const PastAccess& now,
                      std::uint64_t at);

  // recorder_verdicts.cpp: what two accesses without an order mean.
  void judge(const WarpAccess& a, const PastAccess& old, LaneMask against, const PastAccess& now, std::uint64_t at);
  /// Whether the finding stands at `old`. No barrier orders blocks: of a plain write and an atomic of theirs, the write
  /// is to blame, wherever the two stand.
  bool stands_at(const PastAccess& old, const PastAccess& now) const;
  /// Which of two racing accesses a thread makes first since the last barrier, which is where the missing one belongs:
  /// after the first, before the second. Warps run one after the other, so that it need not be the earlier one.
  bool comes_first_in_program(const PastAccess& now, const PastAccess& old) const;

  /// Shared memory that no other block comes to.
  bool is_of_block_alone(const WarpAccess& a) const { return a.space == MemorySpace::shared && !of_cluster_; }
  /// Whose memory it is: 0 for global memory, else the block's number and 1.
  std::uint64_t owner_of(const WarpAccess& a) const {
    if (a.space == MemorySpace::global) return 0;
    return (a.space == MemorySpace::cluster ? a.owner : block_) + 1;
  }

  RecordedLaunch& launch_;
  std::uint64_t block_ = 0;
  std::uint64_t cluster_ = 0;
  bool of_cluster_ = false;  // of several blocks
  std::uint32_t running_threads_ = 0;
  std::vector<LaneMask> arrived_;  // by warp: at the cluster's barrier, in the phase that goes on
  bool cluster_began_ = false;     // all its blocks have, as a thread of this one has waited for them
  BlockOrder order_;
  BlockAssumedOrders assumed_;
  AccessHistory shared_;
  std::unordered_set<std::uint64_t> counted_;  // where in global memory the block's threads have counted
  BulkOrder bulk_;
  DrawnNumbers drawn_;
  std::vector<PhaseAccesses> phase_accesses_;  // by warp
  ReportedRaces reported_;                     // of the access being recorded
  bool compares_ = false;                      // it is an atomicCAS
};

}  // namespace cudalabs::vgpu
