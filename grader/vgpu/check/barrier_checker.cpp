// Judges every completed barrier by the sites its threads came from, and every deadlock by where threads wait.
#include "vgpu/check/barrier_checker.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

namespace {

constexpr std::size_t kBarriers = 16;

/// Threads by the instruction at which they wait, and by the call of the kernel that led there.
class Parties {
 public:
  void add(std::uint32_t instruction, ThreadOfGrid thread, std::uint32_t threads,
           std::optional<std::uint32_t> call = {}) {
    for (Party& party : parties_) {
      if (party.instruction == instruction && party.call == call) {
        party.thread = std::min(party.thread, thread);
        party.threads += threads;
        return;
      }
    }
    Party party;
    party.instruction = instruction;
    party.thread = thread;
    party.threads = threads;
    party.call = call;
    parties_.push_back(party);
  }
  void clear() { parties_.clear(); }
  /// In the order of the program text.
  std::vector<Party> in_order() const {
    auto result = parties_;
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::vector<Party> parties_;
};

/// How threads that have exited went past a barrier: those of one way, the first of them and their number.
struct TakenWay {
  LeavingWay first;
  ThreadOfGrid thread;
  std::uint32_t threads = 0;
};

class TakenWays {
 public:
  void add(const LeavingWay& way, ThreadOfGrid thread, std::uint32_t threads) {
    const auto same = [&](const TakenWay& known) {
      return known.first.branch == way.branch && known.first.early_end == way.early_end;
    };
    auto known = std::ranges::find_if(ways_, same);
    if (known == ways_.end()) known = ways_.insert(ways_.end(), {way, thread, 0});
    known->thread = std::min(known->thread, thread);
    known->threads += threads;
  }
  /// That of most threads, of several the one of the first thread; null: none is known.
  const TakenWay* most() const {
    const auto most = std::ranges::max_element(ways_, [](const TakenWay& a, const TakenWay& b) {
      return a.threads != b.threads ? a.threads < b.threads : a.thread > b.thread;
    });
    return most == ways_.end() ? nullptr : &*most;
  }

 private:
  std::vector<TakenWay> ways_;
};

/// By cluster: the ways of threads that have exited, in launches of clusters, whose blocks run on one thread.
using WaysOfClusters = std::map<std::uint64_t, TakenWays>;

class BarrierBlockObserver : public BlockObserver {
 public:
  BarrierBlockObserver(LaunchLog& log, WaysOfClusters& of_clusters) : log_(log), of_clusters_(of_clusters) {}

  Interests interests() const override {
    return {.accesses = false, .current_values = false, .warp_syncs = false, .counts = false};
  }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    cluster_ = block.cluster;
    of_cluster_ = block.cluster_blocks > 1;
    for (auto& parties : waiting_) parties.clear();
    at_cluster_.clear();
    ways_.clear();
    exited_.assign((block.threads + kWarpSize - 1) / kWarpSize, 0);
  }

  void past_barriers(const LeavingWay& way) override { ways_.push_back(way); }

  void thread_exit(std::uint32_t warp, LaneMask lanes) override {
    exited_[warp] |= lanes;
    if (of_cluster_) add_ways(of_clusters_[cluster_], warp, lanes);
  }

  void barrier_arrive(const BarrierArrival& a) override {
    if (a.barrier >= kBarriers || a.lanes == 0) return;
    waiting_[a.barrier].add(a.instruction, {block_, first_thread(a.warp, a.lanes)}, count_lanes(a.lanes), a.call);
  }

  void barrier_complete(const BarrierCompletion& completion) override {
    if (completion.barrier >= kBarriers) return;
    Parties& arrived = waiting_[completion.barrier];
    // Barriers with a thread count are made for different sites and for a part of the block.
    if (completion.whole_block) judge(arrived.in_order(), completion);
    arrived.clear();
  }

  void cluster_arrive(const ClusterArrival& a) override {
    at_cluster_.add(a.instruction, {block_, first_thread(a.warp, a.lanes)}, count_lanes(a.lanes));
    if (a.again == 0) return;
    Sighting s;
    s.verdict = Verdict::cluster_arrived_twice;
    s.at.instruction = a.instruction;
    s.at.thread = {block_, first_thread(a.warp, a.again)};
    s.at.threads = count_lanes(a.again);
    log_.add(s);
  }

  void cluster_complete(const ClusterCompletion& completion) override {
    const std::vector<Party> sites = at_cluster_.in_order();
    at_cluster_.clear();
    if (completion.exited == 0 || sites.empty()) return;
    Sighting s;
    s.verdict = Verdict::cluster_barrier_missed_by_exited;
    s.at = sites.front();
    s.other.emplace();
    s.other->threads = completion.exited;
    s.other->thread.block = completion.exited_block;
    show_way(s, of_clusters_[cluster_]);
    log_.add(s);
  }

  void missed_sync(const MissedSync& missed) override {
    const LaneMask missing = missed.past != 0 ? missed.past : missed.ended;
    Sighting s;
    s.verdict = missed.past != 0 ? Verdict::missed_sync : Verdict::ended_before_sync;
    s.at.instruction = missed.instruction;
    s.at.thread = {block_, first_thread(missed.warp, missed.lanes)};
    s.at.threads = count_lanes(missed.lanes);
    s.other.emplace();
    if (missed.past != 0) s.other->instruction = missed.past_at;
    s.other->thread = {block_, first_thread(missed.warp, missing)};
    s.other->threads = count_lanes(missing);
    log_.add(s);
  }

  void outside_mask(std::uint32_t warp, LaneMask lanes, std::uint32_t instruction) override {
    Sighting s;
    s.verdict = Verdict::outside_mask;
    s.at.instruction = instruction;
    s.at.thread = {block_, first_thread(warp, lanes)};
    s.count = count_lanes(lanes);
    log_.add(s);
  }

  void missing_lanes(std::uint32_t warp, LaneMask lanes, std::uint32_t instruction) override {
    Sighting s;
    s.verdict = Verdict::missing_lanes;
    s.at.instruction = instruction;
    s.at.thread = {block_, first_thread(warp, lanes)};
    s.at.threads = count_lanes(lanes);
    log_.add(s);
  }

  void deadlock(const Deadlock& deadlock) override {
    Parties of_block, of_warp, of_cluster, in_memory;
    std::optional<BarrierInMemory> looked_at;
    for (const auto& w : deadlock.waiting) {
      if (w.lanes == 0) continue;
      Parties& parties = w.in_memory                      ? in_memory
                         : w.barrier == kBarrierOfWarp    ? of_warp
                         : w.barrier == kBarrierOfCluster ? of_cluster
                                                          : of_block;
      if (w.in_memory && !looked_at) looked_at = w.in_memory;
      parties.add(w.instruction, {block_, first_thread(w.warp, w.lanes)}, count_lanes(w.lanes), w.call);
    }
    const auto block_sites = of_block.in_order();
    const auto warp_sites = of_warp.in_order();
    const auto cluster_sites = of_cluster.in_order();
    Sighting s;
    if (const auto memory_sites = in_memory.in_order(); !memory_sites.empty()) {
      s.verdict = Verdict::memory_barrier_deadlock;
      s.in_memory = looked_at;
      s.space = MemorySpace::shared;
      s.address = looked_at->offset;
      s.at = first_at(deadlock, memory_sites);
      if (!block_sites.empty()) {
        s.other = block_sites.front();
      } else if (!cluster_sites.empty()) {
        s.other = cluster_sites.front();
      }
    } else if (!warp_sites.empty()) {
      s.verdict = Verdict::warp_deadlock;
      s.at = warp_sites.back();
      if (!block_sites.empty()) {
        s.other = block_sites.front();
      } else if (warp_sites.size() > 1) {
        s.other = warp_sites.front();
      }
    } else if (!cluster_sites.empty()) {
      s.verdict = Verdict::cluster_barrier_deadlock;
      s.at = cluster_sites.back();
      if (!block_sites.empty()) {
        s.other = block_sites.front();
      } else if (cluster_sites.size() > 1) {
        s.other = cluster_sites.front();
      }
    } else if (!block_sites.empty()) {
      s.verdict = Verdict::barrier_deadlock;
      s.at = block_sites.back();
      if (block_sites.size() > 1) s.other = block_sites.front();
    } else {
      return;
    }
    log_.add(s);
  }

 private:
  /// Those that look at the barrier in memory that is told of: the first one.
  static Party first_at(const Deadlock& deadlock, const std::vector<Party>& sites) {
    const auto first =
        std::ranges::find_if(deadlock.waiting, [](const auto& w) { return w.in_memory && w.lanes != 0; });
    return *std::ranges::find_if(sites, [&](const Party& party) { return party.instruction == first->instruction; });
  }

  void judge(const std::vector<Party>& sites, const BarrierCompletion& completion) {
    if (sites.empty()) return;
    for (std::size_t i = 1; i < sites.size(); ++i) {
      Sighting s;
      s.verdict = Verdict::barrier_sites_differ;
      s.at = sites[i];
      s.other = sites.front();
      if (s.at.instruction == s.other->instruction) show_calls(s);
      log_.add(s);
    }
    if (completion.exited != 0) {
      Sighting s;
      s.verdict = Verdict::barrier_missed_by_exited;
      s.at = sites.front();
      s.other.emplace();
      s.other->threads = completion.exited;
      show_way(s, ways_of_block());
      log_.add(s);
    }
  }

  /// The parties come to one barrier, from two calls of the function that has it.
  static void show_calls(Sighting& s) {
    s.verdict = Verdict::barrier_calls_differ;
    s.barrier = s.at.instruction.value_or(0);
    for (Party* party : {&s.at, &*s.other}) {
      if (party->call) party->instruction = std::exchange(party->call, std::nullopt);
    }
  }

  /// Those of lanes of a warp.
  void add_ways(TakenWays& taken, std::uint32_t warp, LaneMask among) const {
    for (const LeavingWay& way : ways_) {
      const LaneMask lanes = way.warp == warp ? way.lanes & among : 0;
      if (lanes != 0) taken.add(way, {block_, first_thread(warp, lanes)}, count_lanes(lanes));
    }
  }

  TakenWays ways_of_block() const {
    TakenWays taken;
    for (std::uint32_t warp = 0; warp < exited_.size(); ++warp) add_ways(taken, warp, exited_[warp]);
    return taken;
  }

  /// The way that most of the threads that have exited went past the barrier.
  static void show_way(Sighting& s, const TakenWays& taken) {
    const TakenWay* way = taken.most();
    if (way == nullptr) return;
    s.way = way->first.early_end ? WayPast::early_end : WayPast::branch;
    s.branch = way->first.branch;
    s.other->instruction = way->first.early_end.value_or(way->first.branch);
    s.other->thread = way->thread;
  }

  LaunchLog& log_;
  WaysOfClusters& of_clusters_;
  std::uint64_t cluster_ = 0;
  bool of_cluster_ = false;  // of several blocks
  std::uint64_t block_ = 0;
  std::array<Parties, kBarriers> waiting_;
  Parties at_cluster_;  // that have arrived at the cluster's barrier
  std::vector<LeavingWay> ways_;
  std::vector<LaneMask> exited_;  // by warp
};

}  // namespace

struct BarrierChecker::State {
  LaunchLog log;
  WaysOfClusters of_clusters;
};

BarrierChecker::BarrierChecker() : state_(std::make_unique<State>()) {}
BarrierChecker::~BarrierChecker() = default;

void BarrierChecker::launch_begin(const LaunchInfo& launch) {
  state_->log.begin(launch.config);
}

std::unique_ptr<BlockObserver> BarrierChecker::observe_block() {
  return std::make_unique<BarrierBlockObserver>(state_->log, state_->of_clusters);
}

std::vector<Finding> BarrierChecker::findings(const LaunchNames& names) const {
  return state_->log.findings(names);
}

}  // namespace cudalabs::vgpu
