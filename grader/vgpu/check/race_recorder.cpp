// Happens-before, exactly: every thread has a clock, every byte the accesses that later ones may still conflict with.
#include "vgpu/check/race_recorder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vgpu/check/access_history.h"
#include "vgpu/check/block_order.h"
#include "vgpu/check/bulk_order.h"
#include "vgpu/check/bulk_races.h"
#include "vgpu/check/cluster_life.h"
#include "vgpu/check/counter_reads.h"
#include "vgpu/check/drawn_numbers.h"
#include "vgpu/check/guesses.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/check/missing_fence.h"
#include "vgpu/check/phase_accesses.h"
#include "vgpu/check/polled_words.h"
#include "vgpu/check/race_rules.h"
#include "vgpu/check/race_verdict.h"
#include "vgpu/check/reported_races.h"

namespace cudalabs::vgpu {

namespace {

/// How many blocks a cell remembers reads (or atomics) of. Blocks are hardly ever ordered with one another, so that two
/// would do for nearly all programs; without a limit, an array that all blocks read would cost memory in proportion to
/// the grid.
constexpr std::size_t kBlocksKept = 4;

class RecorderBlock;

struct Launch {
  explicit Launch(const InstructionRoles& of_program) : roles(of_program) {}
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

class RecorderBlock : public BlockObserver {
 public:
  explicit RecorderBlock(Launch& launch)
      : launch_(launch), order_(launch.now, launch.global_sync), assumed_(launch.assumed), bulk_(order_) {}

  Interests interests() const override { return {.counts = false}; }

  void block_begin(const BlockInfo& block) override {
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

  void block_end(std::span<const InstructionCount>) override {
    if (of_cluster_) {
      if (running_threads_ == 0) add_late_accesses(shared_, block_, order_, launch_.log);
      launch_.of_clusters.erase(block_);
    }
    forget_barrier();
    launch_.guesses.end_block(block_, launch_.log);
    launch_.running.erase(block_);
  }

  void access(const WarpAccess& a) override {
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

  void bulk_begins(const BulkBegin& begin) override { bulk_.begin(begin); }
  void bulk_done(const BulkDone& done) override {
    bulk_.done(done, done.owner == block_ ? order_ : launch_.of_clusters.at(done.owner)->order_);
  }
  void bulk_waited(std::uint32_t copy, std::uint32_t warp, std::uint32_t lane, bool only_reads) override {
    bulk_.waited(copy, first_thread(warp, 1u << lane), only_reads);
  }
  void proxy_fence(std::uint32_t warp, LaneMask lanes) override { bulk_.fence(warp, lanes); }
  void bulk_unfinished(const BulkUnfinished& end) override { launch_.log.add(unfinished_copy(end, block_)); }

  void store_begins(const WarpAccess& a) override {
    if (a.copy != 0) return;
    record(a, nullptr);
    phase_accesses_[a.warp].add(a.instruction);
  }

  void warp_sync(std::uint32_t warp, LaneMask lanes, std::uint32_t) override {
    order_.warp_sync(warp, lanes);
    if (launch_.fences_matter) assumed_.warp_sync(warp, lanes);
  }
  void barrier_arrive(const BarrierArrival& arrival) override {
    order_.arrive(arrival);
    if (launch_.fences_matter) assumed_.arrive(arrival);
  }
  void barrier_complete(const BarrierCompletion& completion) override {
    order_.complete(completion);
    if (launch_.fences_matter) assumed_.complete(completion);
    if (!completion.whole_block) return;
    for (PhaseAccesses& accesses : phase_accesses_) accesses.clear();
    drawn_.share();
  }
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
  void thread_exit(std::uint32_t warp, LaneMask lanes) override {
    running_threads_ -= count_lanes(lanes);
    if (!of_cluster_) return;
    order_.arrive({.warp = warp, .instruction = 0, .lanes = lanes & ~arrived_[warp]}, launch_.barriers[cluster_]);
  }
  void fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope) override {
    order_.fence(warp, lanes, scope);
    if (launch_.fences_matter) assumed_.fence(warp, lanes, scope);
  }

 private:
  /// The blocks of a cluster run at the same time: behind the last of them nobody comes to its barrier.
  void forget_barrier() {
    const auto in_same_cluster = [&](const auto& running) { return running.second->cluster_ == cluster_; };
    if (launch_.barriers.empty() || std::ranges::any_of(launch_.of_clusters, in_same_cluster)) return;
    launch_.barriers.erase(cluster_);
  }

  /// `owner`: of another block's shared memory, that block's.
  void record(const WarpAccess& a, RecorderBlock* owner) {
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

  /// Of a copy in bulk, `now` but for when and by whom.
  void record_copy(const WarpAccess& a, PastAccess now, AccessHistory& history) {
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

  /// A question of a counter in which threads of the block have counted; who waits for it may look as often as it
  /// likes.
  bool looks_again(const WarpAccess& a, std::uint32_t lane, const InstructionRole& role) const {
    const bool looks = a.kind == AccessKind::load || role.only_looks;
    return looks && role.use == LoadUse::question && a.space == MemorySpace::global &&
           counted_.contains(a.address[lane]);
  }

  /// Was the last access of the thread (of `store`, which is about to follow) to the cell a strong read?
  bool was_read_by(AccessHistory& history, const AccessHistory::Cell& cell, const PastAccess& store) const {
    for (AccessHistory::Index i = cell.first; i != AccessHistory::kEnd; i = history.node(i).next) {
      const PastAccess& old = history.node(i).access;
      if (!of_one_warp(old, store) || (old.lanes & store.lanes) == 0) continue;
      return old.strong && old.kind == AccessKind::load;
    }
    return false;
  }

  LaneMask lanes_like(const WarpAccess& a, std::uint32_t lane, LaneMask among) const {
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

  /// The lanes of `old` that a thread with this clock is not ordered after, program order aside.
  LaneMask unordered(const PastAccess& old, const ThreadClock& clock) const {
    return lanes_not_before(old, old.block == block_ ? &clock.near : clock.far.of(old.block), block_);
  }
  /// The lanes of `old` that need not be remembered beside `now`, which covers it: those ordered before it, and those
  /// that the race with it has been reported of.
  static LaneMask forgettable(const PastAccess& old, const PastAccess& now, LaneMask unordered_lanes, LaneMask against,
                              bool same_warp) {
    const LaneMask own = same_warp ? now.lanes : 0;
    // A strong write goes with the fence before it, what lies between the two does not.
    if (now.fenced != 0) return old.epoch < now.fenced ? own : 0;
    return ~unordered_lanes | own | (conflict(old, now) ? against : 0);
  }

  void check(AccessHistory& history, AccessHistory::Cell& cell, const WarpAccess& a, const PastAccess& now,
             const OrderedThread& t, std::uint64_t at) {
    if (cell.read_by_many && !now.writes()) return;
    cell.read_by_many = false;
    const bool shared = is_of_block_alone(a);
    // No other blocks than those of the cluster come to its shared memory: all of them are remembered.
    const std::size_t kept = a.space == MemorySpace::global ? kBlocksKept : std::numeric_limits<std::size_t>::max();
    bool only_polled = shared && polls(now);
    bool recorded = false, any_writes = now.writes();
    std::array<std::uint64_t, kBlocksKept> blocks{};  // of those that accessed it, the first ones
    std::size_t block_count = 0;
    if (compares_) launch_.guesses.compared(block_, a.warp, now.lanes, owner_of(a), at);
    for (AccessHistory::Index* link = &cell.first; *link != AccessHistory::kEnd;) {
      PastAccess& old = history.node(*link).access;
      history.prefetch(history.node(*link).next);
      const bool same_warp = old.block == now.block && old.warp == now.warp;
      const LaneMask unordered_lanes = unordered(old, t.clock);
      LaneMask against = unordered_lanes;
      // A thread does not race with itself; of several lanes, each is "another" to all but one.
      if (same_warp && (now.lanes & (now.lanes - 1)) == 0) against &= ~now.lanes;
      if (same_warp && against == now.lanes && (against & (against - 1)) == 0) against = 0;
      if (now.counts && old.counted_before && same_warp && (old.lanes & now.lanes) != 0) {
        launch_.counter_reads.counts_after(old.instruction);
      }
      if (compares_ && same_warp && !old.writes()) old.verified |= old.lanes & now.lanes;
      if (!now.strong || now.kind != AccessKind::atomic || (against & ~old.verified) != 0) {
        if (against != 0) judge(a, old, against, now, at);
      }
      if (is_copy(now.block)) look_for_fence(a, old, old.lanes & ~unordered_lanes, now, at);
      if (covers(now, old)) old.lanes &= ~forgettable(old, now, unordered_lanes, against, same_warp);
      // All threads of the block are ordered after what came before its last barrier.
      const bool forgotten = shared && old.epoch < t.clock.near.base() && !is_copy(old.block);
      if (forgotten && !(launch_.copies_in_bulk && old.writes())) old.lanes = 0;
      if (old.lanes == 0) {
        history.remove(*link);
        continue;
      }
      if (old.alike(now)) {
        old.lanes |= now.lanes;
        old.verified &= ~now.lanes;
        recorded = true;
      }
      any_writes = any_writes || old.writes();
      only_polled = only_polled && polls(old);
      bool counted = old.block == block_ || block_count >= std::min(kept, blocks.size());
      for (std::size_t i = 0; i < block_count && !counted; ++i) counted = blocks[i] == old.block;
      if (!counted) blocks[block_count++] = old.block;
      link = &history.node(*link).next;
    }
    cell.only_polled = only_polled;
    const bool enough = block_count == kept;
    if (enough && !any_writes) cell.read_by_many = true;
    const bool may_forget = !now.writes() || now.strong;
    if (!recorded && !(may_forget && enough)) history.push(cell, now);
  }

  /// The lanes that access the same bytes in the same epoch.
  LaneMask lanes_at(const WarpAccess& a, std::uint32_t lane, LaneMask among) const {
    LaneMask result = 0;
    const Time epoch = order_.thread(first_thread(a.warp, 1u << lane)).released;
    for (LaneMask left = among; left != 0; left &= left - 1) {
      const bool same_place = a.address[first_lane(left)] == a.address[lane];
      if (same_place && order_.thread(first_thread(a.warp, left)).released == epoch) result |= 1u << first_lane(left);
    }
    return result;
  }

  /// `lanes` of an access come before the copy has begun.
  void look_for_fence(const WarpAccess& a, const PastAccess& old, LaneMask lanes, const PastAccess& now,
                      std::uint64_t at) {
    if (a.kind != AccessKind::load || a.space != MemorySpace::shared || !old.writes() || is_copy(old.block)) return;
    const LaneMask unfenced = bulk_.unfenced(old, lanes, bulk_.copy(a.copy));
    if (unfenced != 0) launch_.log.add(unfenced_copy(old, unfenced, now, at, a.bytes));
  }

  void judge(const WarpAccess& a, const PastAccess& old, LaneMask against, const PastAccess& now, std::uint64_t at) {
    if (is_copy(old.block) || is_copy(now.block)) {
      const bool first = conflict(old, now) && reported_.add(old, now) == ReportedRaces::News::first;
      if (!first) return;
      Sighting s = bulk_race(old, against, now, order_, at, a);
      if (of_cluster_ && s.space == MemorySpace::shared) s.owner = a.space == MemorySpace::cluster ? a.owner : block_;
      return launch_.log.add(s);
    }
    const bool relies_on_volatile = count_on_volatile(old, now);
    const StrongRace strong = strong_enough(old, now) ? strong_race(old, now) : StrongRace::none;
    if (!conflict(old, now) && !relies_on_volatile && strong == StrongRace::none) return;
    const ReportedRaces::News news = reported_.add(old, now);
    if (news == ReportedRaces::News::none) return;

    const bool within = old.block == block_;
    std::uint32_t lane = first_lane(now.lanes);
    std::uint32_t other = first_lane(against);
    if (within && old.warp == now.warp && lane == other) {
      // Both sides have several lanes, or one has: choose two that differ.
      const LaneMask others = against & (against - 1);
      if (others != 0) {
        other = first_lane(others);
      } else {
        lane = first_lane(now.lanes & (now.lanes - 1));
      }
    }
    Party first{old.instruction, {old.block, old.warp * kWarpSize + other}, old.kind, 0};
    Party second{now.instruction, {block_, now.warp * kWarpSize + lane}, now.kind, 0};
    // Counting is right, looking again is not, wherever the one and the other stand.
    const bool ordered = strong == StrongRace::counter_read ? old.counted_before : stands_at(old, now);
    if (ordered) std::swap(first, second);
    Sighting s;
    s.verdict = race_verdict(a, old, now, relies_on_volatile, lane, other);
    s.strong = strong;
    // Nothing is lost where all write the same, as many threads do that raise one flag.
    if (strong == StrongRace::lost_updates && writes_the_same(s.verdict)) return;
    s.at = second;
    s.other = first;
    const PastAccess& load = now.kind == AccessKind::load ? now : old;
    s.decides = load.kind == AccessKind::load && is_decision(load.use) && (load.lanes & (load.lanes - 1)) != 0;
    s.space = a.space == MemorySpace::cluster ? MemorySpace::shared : a.space;
    if (of_cluster_ && s.space == MemorySpace::shared) s.owner = a.space == MemorySpace::cluster ? a.owner : block_;
    s.address = at;
    s.bytes = a.bytes;
    s.count = news == ReportedRaces::News::first ? count_lanes(now.lanes) : 0;  // else it was counted
    if (launch_.fences_matter && !within && a.space == MemorySpace::global &&
        (strong == StrongRace::none || strong == StrongRace::data_read)) {
      s.fence = assumed_.missing(now.warp * kWarpSize + lane, {old.block, old.warp * kWarpSize + other}, old.assumed);
      if (s.fence) {
        s.fence->first = old.instruction;
        s.fence->second = now.instruction;
      }
    }
    if (s.verdict == Verdict::global_race_between_blocks_equal) s.doubled = doubled_work(old, now, launch_.draw);
    for (LaneMask left = a.active; left != 0 && !s.each_its_own; left &= left - 1) {
      s.each_its_own = a.address[first_lane(left)] != a.address[first_lane(a.active)];
    }
    if (strong == StrongRace::counter_read)
      return launch_.counter_reads.add((now.counted_before ? now : old).instruction, s);
    if (!launch_.roles.any_compares_and_swaps()) return launch_.log.add(s);
    if (now.kind == AccessKind::load && old.kind == AccessKind::atomic) {
      launch_.guesses.add(block_, now.warp, now.lanes, owner_of(a), s);
    } else if (old.kind == AccessKind::load && now.kind == AccessKind::atomic && launch_.running.contains(old.block)) {
      launch_.guesses.add(old.block, old.warp, against & ~old.verified, owner_of(a), s);
    } else {
      launch_.log.add(s);
    }
  }

  /// Shared memory that no other block comes to.
  bool is_of_block_alone(const WarpAccess& a) const { return a.space == MemorySpace::shared && !of_cluster_; }
  /// Whose memory it is: 0 for global memory, else the block's number and 1.
  std::uint64_t owner_of(const WarpAccess& a) const {
    if (a.space == MemorySpace::global) return 0;
    return (a.space == MemorySpace::cluster ? a.owner : block_) + 1;
  }

  /// Whether the finding stands at `old`. No barrier orders blocks: of a plain write and an atomic of theirs, the write
  /// is to blame, wherever the two stand.
  bool stands_at(const PastAccess& old, const PastAccess& now) const {
    const bool atomic_and_write = (old.kind == AccessKind::store && now.kind == AccessKind::atomic) ||
                                  (old.kind == AccessKind::atomic && now.kind == AccessKind::store);
    if (old.block != block_ && atomic_and_write) return old.kind == AccessKind::store;
    return comes_first_in_program(now, old);
  }

  /// Which of two racing accesses a thread makes first since the last barrier, which is where the missing one belongs:
  /// after the first, before the second. Warps run one after the other, so that it need not be the earlier one.
  bool comes_first_in_program(const PastAccess& now, const PastAccess& old) const {
    if (now.instruction == old.instruction) return false;
    if (old.block == block_) {
      if (phase_accesses_[now.warp].made(old.instruction)) return false;
      if (phase_accesses_[old.warp].in_order(now.instruction, old.instruction)) return true;
    }
    return now.instruction < old.instruction;
  }

  Launch& launch_;
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

}  // namespace

struct RaceRecorder::State {
  explicit State(const InstructionRoles& roles) : launch(roles) {}
  Launch launch;
};

RaceRecorder::RaceRecorder(const InstructionRoles& roles) : state_(std::make_unique<State>(roles)) {}
RaceRecorder::~RaceRecorder() = default;

const InstructionRoles& RaceRecorder::no_roles() {
  static const InstructionRoles none;
  return none;
}

void RaceRecorder::launch_begin(const LaunchInfo& launch) {
  state_->launch.log.begin(launch.config);
  state_->launch.copies_in_bulk = launch.kernel != nullptr && launch.kernel->copies_in_bulk;
  state_->launch.fences_matter = launch.kernel == nullptr || !launch.kernel->concurrent;
}

std::unique_ptr<BlockObserver> RaceRecorder::observe_block() {
  return std::make_unique<RecorderBlock>(state_->launch);
}

void RaceRecorder::launch_end() {
  state_->launch.guesses.end_launch(state_->launch.log);
  state_->launch.counter_reads.end_launch(state_->launch.log);
}

std::uint64_t RaceRecorder::recorded() const {
  return state_->launch.recorded;
}

bool RaceRecorder::blocks_may_be_ordered() const {
  return state_->launch.global_is_strong;
}

const FindingLog& RaceRecorder::races() const {
  return state_->launch.log.log();
}

void RaceRecorder::add_races_of(const FindingLog& other_run) {
  state_->launch.log.merge_other_run(other_run);
}

std::vector<Finding> RaceRecorder::findings(const LaunchNames& names) const {
  return state_->launch.log.findings(names);
}

}  // namespace cudalabs::vgpu
