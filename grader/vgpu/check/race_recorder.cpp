// Happens-before, exactly: every thread has a clock, every byte the accesses that later ones may still conflict with.
#include "vgpu/check/race_recorder.h"

#include <array>
#include <cstring>
#include <vector>

#include "vgpu/check/access_history.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/check/sync_locations.h"
#include "vgpu/check/vector_clock.h"

namespace cudalabs::vgpu {

namespace {

constexpr std::size_t kBarriers = 16;

/// How many blocks a cell remembers reads (or atomics) of. Blocks are hardly ever ordered with one another, so that two
/// would do for nearly all programs; without a limit, an array that all blocks read would cost memory in proportion to
/// the grid.
constexpr std::size_t kBlocksKept = 4;

struct Thread {
  ThreadClock clock;
  Time released = 0;  // the last release event: accesses from now on belong to this epoch
  Time fenced = 0;    // the last fence
  ThreadHandover released_by_fence;
  ThreadHandover seen;  // read by strong reads, takes effect with the next fence or barrier
};

bool strong_enough(const PastAccess& a, const PastAccess& b) {
  return a.strong && b.strong &&
         (a.block == b.block || (a.scope != MemoryScope::block && b.scope != MemoryScope::block));
}

bool conflict(const PastAccess& a, const PastAccess& b) {
  return (a.writes() || b.writes()) && !strong_enough(a, b);
}

/// Whoever conflicts with `old` and is not ordered after it would conflict with `now` too, given that `old` is ordered
/// before `now`: then `old` can be forgotten.
bool covers(const PastAccess& now, const PastAccess& old) {
  if (!now.strong) return now.writes() || !old.writes();
  return old.strong && now.scope <= old.scope && (now.writes() || !old.writes());
}

struct Launch {
  AccessHistory global;
  SyncLocations global_sync;
  LaunchLog log;
  Time now = 0;
};

class RecorderBlock : public BlockObserver {
 public:
  explicit RecorderBlock(Launch& launch) : launch_(launch) {}

  Interests interests() const override { return {.counts = false}; }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    const Time start = ++launch_.now;
    Thread fresh;
    fresh.released = start;
    threads_.assign(block.threads, fresh);
    shared_.clear();
    shared_sync_.clear();
    for (auto& arrivals : arrivals_) arrivals.clear();
  }

  void access(const WarpAccess& a) override {
    if (a.space != MemorySpace::global && a.space != MemorySpace::shared) return;
    record(a);
    if (a.order != MemoryOrder::weak || a.kind == AccessKind::atomic) {
      synchronize(a);
    } else if (a.kind == AccessKind::store) {
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1)
        sync_of(a).overwrite(a.address[first_lane(lanes)]);
    }
  }

  void warp_sync(std::uint32_t warp, LaneMask lanes, std::uint32_t) override {
    lanes &= lanes_of_warp(warp, static_cast<std::uint32_t>(threads_.size()));
    const Time now = ++launch_.now;
    std::vector<Arrival> arrivals;
    for (LaneMask left = lanes; left != 0; left &= left - 1) arrivals.push_back({first_thread(warp, left), now, true});
    join(arrivals);
  }

  void barrier_arrive(const BarrierArrival& a) override {
    if (a.barrier >= kBarriers) return;
    const Time now = ++launch_.now;
    for (LaneMask left = a.lanes; left != 0; left &= left - 1) {
      const std::uint32_t thread = first_thread(a.warp, left);
      arrivals_[a.barrier].push_back({thread, now, !a.arrive_only});
      if (a.arrive_only) {
        // It goes on at once, so what it knows and did must be taken down now.
        departed_[a.barrier].push_back({handed_over_by(thread, now), threads_[thread].released_by_fence});
        threads_[thread].released = now;
      }
    }
  }

  void barrier_complete(const BarrierCompletion& completion) override {
    if (completion.barrier >= kBarriers) return;
    if (completion.whole_block) {
      join_block();
    } else {
      join(arrivals_[completion.barrier], &departed_[completion.barrier]);
    }
    arrivals_[completion.barrier].clear();
    departed_[completion.barrier].clear();
  }

  void fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope) override {
    for (LaneMask left = lanes; left != 0; left &= left - 1) fence_thread(first_thread(warp, left), scope);
  }

 private:
  struct Arrival {
    std::uint32_t thread;
    Time time;
    bool waits;
  };
  struct Departure {
    GridKnowledge knowledge;
    ThreadHandover released;
  };

  // ---- synchronisation

  /// All that `thread` is ordered after, and itself up to `now`.
  GridKnowledge handed_over_by(std::uint32_t thread, Time now) const {
    GridKnowledge all = threads_[thread].clock.far;
    BlockKnowledge near = threads_[thread].clock.near;
    near.add({{thread, now}});
    all.join(block_, near);
    return all;
  }

  void fence_thread(std::uint32_t index, MemoryScope scope) {
    Thread& t = threads_[index];
    acquire(t, scope, t.seen);
    const Time now = ++launch_.now;
    const GridKnowledge all = handed_over_by(index, now);
    t.released_by_fence.narrow.join(all);
    if (scope != MemoryScope::block) t.released_by_fence.wide.join(all);
    t.released = now;
    t.fenced = now;
  }

  void acquire(Thread& t, MemoryScope scope, const ThreadHandover& seen) const {
    t.clock.join(seen.narrow, block_);
    if (scope != MemoryScope::block) t.clock.join(seen.wide, block_);
  }

  /// What strong reads saw takes effect at a barrier, too: the barrier orders the block's accesses, and published code
  /// for a sum over blocks in one launch has no fence on the reading side.
  void acquire_all(Thread& t) const {
    if (!t.seen.empty()) acquire(t, MemoryScope::device, t.seen);
    t.seen = {};
  }

  /// The threads of a warp synchronisation or of a barrier with a thread count.
  void join(const std::vector<Arrival>& arrivals, const std::vector<Departure>* departed = nullptr) {
    ThreadClock joined;
    ThreadHandover released;
    bool first = true;
    BlockKnowledge::Entries entries;
    for (const Arrival& a : arrivals) {
      Thread& t = threads_[a.thread];
      entries.push_back({a.thread, a.time});
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
    if (departed != nullptr) {
      for (const Departure& d : *departed) {
        joined.join(d.knowledge, block_);
        released.join(d.released);
      }
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return a.thread != b.thread ? a.thread < b.thread : a.time < b.time;
    });
    // A thread may arrive, go on, and arrive again: its later arrival is the one that counts.
    entries.erase(entries.begin(), std::unique(entries.rbegin(), entries.rend(), [](const auto& a, const auto& b) {
                                     return a.thread == b.thread;
                                   }).base());
    joined.near.add(entries);
    for (const Arrival& a : arrivals) {
      if (!a.waits) continue;
      Thread& t = threads_[a.thread];
      t.clock = joined;
      t.released = a.time;
      t.released_by_fence = released;
    }
  }

  /// A barrier of the whole block. Threads that have exited count as having arrived: that they did not is
  /// BarrierChecker's business.
  void join_block() {
    const Time now = ++launch_.now;
    ThreadClock joined;
    ThreadHandover released;
    for (Thread& t : threads_) {
      acquire_all(t);
      joined.far.join(t.clock.far);
      released.join(t.released_by_fence);
    }
    joined.near.raise_base(now);
    for (Thread& t : threads_) {
      t.clock = joined;
      t.released = now;
      t.released_by_fence = released;
    }
  }

  SyncLocations& sync_of(const WarpAccess& a) {
    return a.space == MemorySpace::global ? launch_.global_sync : shared_sync_;
  }

  void synchronize(const WarpAccess& a) {
    const bool atomic = a.kind == AccessKind::atomic;
    const bool acquires = a.order == MemoryOrder::acquire || a.order == MemoryOrder::acq_rel;
    const bool releases = a.order == MemoryOrder::release || a.order == MemoryOrder::acq_rel;
    for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
      const std::uint32_t lane = first_lane(lanes);
      const std::uint32_t index = first_thread(a.warp, lanes);
      Thread& t = threads_[index];
      ThreadHandover seen;
      if (a.kind != AccessKind::store) sync_of(a).read(a.address[lane], block_, seen);
      if (a.kind != AccessKind::load) {
        ThreadHandover released = t.released_by_fence;
        if (releases) {
          const Time now = ++launch_.now;
          const GridKnowledge all = handed_over_by(index, now);
          released.narrow.join(all);
          if (a.scope != MemoryScope::block) released.wide.join(all);
          t.released = now;
        }
        sync_of(a).write(a.address[lane], atomic, block_, released);
      }
      if (seen.empty()) continue;
      if (acquires) acquire(t, a.scope, seen);
      t.seen.join(seen);
    }
  }

  // ---- conflicts

  void record(const WarpAccess& a) {
    AccessHistory& history = a.space == MemorySpace::global ? launch_.global : shared_;
    PastAccess now;
    now.block = block_;
    now.warp = a.warp;
    now.instruction = a.instruction;
    now.kind = a.kind;
    now.strong = a.order != MemoryOrder::weak || a.kind == AccessKind::atomic;
    now.scope = now.strong ? a.scope : MemoryScope::block;
    for (LaneMask left = a.active; left != 0;) {
      const std::uint32_t lane = first_lane(left);
      const Thread& t = threads_[first_thread(a.warp, left)];
      now.epoch = t.released;
      now.fenced = now.strong && now.writes() ? t.fenced : 0;
      // Lanes that read the same bytes in the same state are one access.
      now.lanes = a.kind == AccessKind::load ? lanes_like(a, lane, left) : 1u << lane;
      left &= ~now.lanes;
      reported_.clear();
      history.visit(a.address[lane], a.bytes, [&](AccessHistory::Cell& cell, std::uint64_t at, std::uint32_t bytes) {
        check(history, cell, a, now, t, at, bytes);
      });
    }
  }

  LaneMask lanes_like(const WarpAccess& a, std::uint32_t lane, LaneMask among) const {
    LaneMask result = 0;
    const Thread& t = threads_[a.warp * kWarpSize + lane];
    for (LaneMask left = among; left != 0; left &= left - 1) {
      const std::uint32_t other = first_lane(left);
      if (a.address[other] != a.address[lane]) continue;
      const Thread& o = threads_[a.warp * kWarpSize + other];
      if (o.released == t.released && o.clock.near.shares_with(t.clock.near) && o.clock.far.shares_with(t.clock.far)) {
        result |= 1u << other;
      }
    }
    return result;
  }

  /// The lanes of `old` that a thread with this clock is not ordered after, program order aside.
  LaneMask unordered(const PastAccess& old, const ThreadClock& clock) const {
    const BlockKnowledge* known = old.block == block_ ? &clock.near : clock.far.of(old.block);
    if (known == nullptr) return old.lanes;
    if (known->base() > old.epoch) return 0;
    LaneMask result = 0;
    for (LaneMask left = old.lanes; left != 0; left &= left - 1) {
      const Time time = known->of(first_thread(old.warp, left));
      // A strong write goes with the fence before it; inside the block only while nothing else was released since.
      const bool handed_over =
          old.fenced != 0 && time >= old.fenced && (old.block != block_ || old.fenced == old.epoch);
      if (time <= old.epoch && !handed_over) result |= 1u << first_lane(left);
    }
    return result;
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
             const Thread& t, std::uint64_t at, std::uint32_t bytes) {
    if (cell.read_by_many && !now.writes()) return;
    cell.read_by_many = false;
    bool recorded = false, any_writes = now.writes();
    std::array<std::uint64_t, kBlocksKept> blocks{};
    std::size_t block_count = 0;
    for (AccessHistory::Index* link = &cell.first; *link != AccessHistory::kEnd;) {
      PastAccess& old = history.node(*link).access;
      const bool same_warp = old.block == block_ && old.warp == now.warp;
      const LaneMask unordered_lanes = unordered(old, t.clock);
      LaneMask against = unordered_lanes;
      // A thread does not race with itself; of several lanes, each is "another" to all but one.
      if (same_warp && (now.lanes & (now.lanes - 1)) == 0) against &= ~now.lanes;
      if (same_warp && against == now.lanes && (against & (against - 1)) == 0) against = 0;
      if (against != 0) judge(a, old, against, now, at, bytes);
      if (covers(now, old)) old.lanes &= ~forgettable(old, now, unordered_lanes, against, same_warp);
      if (old.lanes == 0) {
        history.remove(*link);
        continue;
      }
      if (old.alike(now)) {
        old.lanes |= now.lanes;
        recorded = true;
      }
      any_writes = any_writes || old.writes();
      bool counted = old.block == block_ || block_count == kBlocksKept;
      for (std::size_t i = 0; i < block_count && !counted; ++i) counted = blocks[i] == old.block;
      if (!counted) blocks[block_count++] = old.block;
      link = &history.node(*link).next;
    }
    const bool enough = block_count == kBlocksKept;
    if (enough && !any_writes) cell.read_by_many = true;
    const bool may_forget = !now.writes() || now.strong;
    if (!recorded && !(may_forget && enough)) history.push(cell, now);
  }

  void judge(const WarpAccess& a, const PastAccess& old, LaneMask against, const PastAccess& now, std::uint64_t at,
             std::uint32_t bytes) {
    const bool relies_on_volatile = strong_enough(old, now) && old.block == block_ && old.warp == now.warp &&
                                    old.kind != AccessKind::atomic && now.kind != AccessKind::atomic &&
                                    old.kind != now.kind;
    if (!conflict(old, now) && !relies_on_volatile) return;
    // An access that touches several cells is one access.
    for (const auto& [instruction, kind] : reported_) {
      if (instruction == old.instruction && kind == old.kind) return;
    }
    reported_.emplace_back(old.instruction, old.kind);

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
    Sighting s;
    s.verdict = verdict(a, old, now, within, relies_on_volatile, lane, other, at, bytes);
    s.at.instruction = now.instruction;
    s.at.thread = {block_, now.warp * kWarpSize + lane};
    s.at.access = now.kind;
    s.other.emplace();
    s.other->instruction = old.instruction;
    s.other->thread = {old.block, old.warp * kWarpSize + other};
    s.other->access = old.kind;
    s.space = a.space;
    s.address = at;
    s.bytes = a.bytes;
    s.count = count_lanes(now.lanes);
    launch_.log.add(s);
  }

  static Verdict verdict(const WarpAccess& a, const PastAccess& old, const PastAccess& now, bool within,
                         bool relies_on_volatile, std::uint32_t lane, std::uint32_t other, std::uint64_t at,
                         std::uint32_t bytes) {
    const bool shared = a.space == MemorySpace::shared;
    if (relies_on_volatile) return shared ? Verdict::shared_race_volatile : Verdict::global_race_within_block_volatile;
    const bool stores = old.kind == AccessKind::store && now.kind == AccessKind::store;
    const bool equal = stores && same_value(a, old, now, within, lane, other, at, bytes);
    if (shared) return equal ? Verdict::shared_race_equal : Verdict::shared_race;
    if (within) return equal ? Verdict::global_race_within_block_equal : Verdict::global_race_within_block;
    return equal ? Verdict::global_race_between_blocks_equal : Verdict::global_race_between_blocks;
  }

  /// Does the store of `lane` write to [at, at + bytes) what the racing store wrote?
  static bool same_value(const WarpAccess& a, const PastAccess& old, const PastAccess& now, bool within,
                         std::uint32_t lane, std::uint32_t other, std::uint64_t at, std::uint32_t bytes) {
    if (a.stored == nullptr) return false;
    const auto part = [&](const std::byte* values, std::uint32_t of) {
      return values + of * a.bytes + (at - a.address[of]);
    };
    // Two lanes of one execution of the instruction (lanes are recorded in order): memory holds neither value yet.
    const bool same_step = within && old.warp == now.warp && old.instruction == now.instruction && other < lane &&
                           (a.active >> other & 1) != 0 && at - a.address[other] < a.bytes;
    if (same_step) return std::memcmp(part(a.stored, lane), part(a.stored, other), bytes) == 0;
    return a.current != nullptr && std::memcmp(part(a.stored, lane), part(a.current, lane), bytes) == 0;
  }

  Launch& launch_;
  std::uint64_t block_ = 0;
  std::vector<Thread> threads_;
  AccessHistory shared_;
  SyncLocations shared_sync_;
  std::array<std::vector<Arrival>, kBarriers> arrivals_;
  std::array<std::vector<Departure>, kBarriers> departed_;
  std::vector<std::pair<std::uint32_t, AccessKind>> reported_;
};

}  // namespace

struct RaceRecorder::State {
  Launch launch;
};

RaceRecorder::RaceRecorder() : state_(std::make_unique<State>()) {}
RaceRecorder::~RaceRecorder() = default;

void RaceRecorder::launch_begin(const LaunchInfo& launch) {
  state_->launch.log.begin(launch.config);
}

std::unique_ptr<BlockObserver> RaceRecorder::observe_block() {
  return std::make_unique<RecorderBlock>(state_->launch);
}

std::vector<Finding> RaceRecorder::findings(const LaunchNames& names) const {
  return state_->launch.log.findings(names);
}

}  // namespace cudalabs::vgpu
