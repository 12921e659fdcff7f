// Judges every completed barrier by the sites its threads came from, and every deadlock by where threads wait.
#include "vgpu/check/barrier_checker.h"

#include <algorithm>
#include <array>
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

class BarrierBlockObserver : public BlockObserver {
 public:
  explicit BarrierBlockObserver(LaunchLog& log) : log_(log) {}

  Interests interests() const override {
    return {.accesses = false, .current_values = false, .warp_syncs = false, .counts = false};
  }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    for (auto& parties : waiting_) parties.clear();
    ways_.clear();
    exited_.assign((block.threads + kWarpSize - 1) / kWarpSize, 0);
  }

  void past_barriers(const LeavingWay& way) override { ways_.push_back(way); }

  void thread_exit(std::uint32_t warp, LaneMask lanes) override { exited_[warp] |= lanes; }

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
    Parties of_block, of_warp;
    for (const auto& w : deadlock.waiting) {
      if (w.lanes == 0) continue;
      Parties& parties = w.barrier == kBarrierOfWarp ? of_warp : of_block;
      parties.add(w.instruction, {block_, first_thread(w.warp, w.lanes)}, count_lanes(w.lanes));
    }
    const auto block_sites = of_block.in_order();
    const auto warp_sites = of_warp.in_order();
    Sighting s;
    if (!warp_sites.empty()) {
      s.verdict = Verdict::warp_deadlock;
      s.at = warp_sites.back();
      if (!block_sites.empty()) {
        s.other = block_sites.front();
      } else if (warp_sites.size() > 1) {
        s.other = warp_sites.front();
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
      find_way(s);
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

  /// The way that most of the threads that have exited went past the barrier, of several the one of the first thread.
  void find_way(Sighting& s) const {
    struct Way {
      LeavingWay first;
      std::uint32_t thread = 0, threads = 0;
    };
    std::vector<Way> ways;
    for (const LeavingWay& way : ways_) {
      const LaneMask lanes = way.lanes & exited_[way.warp];
      if (lanes == 0) continue;
      const auto same = [&](const Way& known) {
        return known.first.branch == way.branch && known.first.early_end == way.early_end;
      };
      const std::uint32_t thread = first_thread(way.warp, lanes);
      auto known = std::ranges::find_if(ways, same);
      if (known == ways.end()) known = ways.insert(ways.end(), {way, thread, 0});
      known->thread = std::min(known->thread, thread);
      known->threads += count_lanes(lanes);
    }
    if (ways.empty()) return;
    const Way& way = *std::ranges::max_element(ways, [](const Way& a, const Way& b) {
      return a.threads != b.threads ? a.threads < b.threads : a.thread > b.thread;
    });
    s.way = way.first.early_end ? WayPast::early_end : WayPast::branch;
    s.branch = way.first.branch;
    s.other->instruction = way.first.early_end.value_or(way.first.branch);
    s.other->thread = {block_, way.thread};
  }

  LaunchLog& log_;
  std::uint64_t block_ = 0;
  std::array<Parties, kBarriers> waiting_;
  std::vector<LeavingWay> ways_;
  std::vector<LaneMask> exited_;  // by warp
};

}  // namespace

struct BarrierChecker::State {
  LaunchLog log;
};

BarrierChecker::BarrierChecker() : state_(std::make_unique<State>()) {}
BarrierChecker::~BarrierChecker() = default;

void BarrierChecker::launch_begin(const LaunchInfo& launch) {
  state_->log.begin(launch.config);
}

std::unique_ptr<BlockObserver> BarrierChecker::observe_block() {
  return std::make_unique<BarrierBlockObserver>(state_->log);
}

std::vector<Finding> BarrierChecker::findings(const LaunchNames& names) const {
  return state_->log.findings(names);
}

}  // namespace cudalabs::vgpu
