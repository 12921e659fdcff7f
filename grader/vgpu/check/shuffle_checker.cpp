// Shuffles that read lanes which do not execute them.
#include "vgpu/check/shuffle_checker.h"

#include <map>
#include <mutex>

#include "vgpu/check/finding_log.h"
#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

/// A log for each instruction: some may turn out not to matter.
struct ShuffleChecker::State {
  void add(const Sighting& sighting) {
    const std::lock_guard lock(mutex);
    logs[*sighting.at.instruction].add(sighting);
  }

  LaunchConfig config;
  std::map<std::uint32_t, FindingLog> logs;
  std::mutex mutex;
};

namespace {

template <class State>
class ShuffleBlockObserver : public BlockObserver {
 public:
  explicit ShuffleBlockObserver(State& state) : state_(state) {}

  Interests interests() const override {
    return {.accesses = false, .current_values = false, .warp_syncs = false, .counts = false};
  }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    ways_.clear();
  }

  void past_shuffles(const LeavingWay& way) override { ways_.push_back(way); }

  void inactive_shuffle(const InactiveShuffle& shuffle) override {
    Sighting s;
    s.verdict = Verdict::inactive_shuffle;
    s.at.instruction = shuffle.instruction;
    s.at.thread = {block_, first_thread(shuffle.warp, shuffle.readers)};
    s.lane = shuffle.lane;
    s.lanes = shuffle.active;
    s.count = count_lanes(shuffle.readers);
    find_way(s, shuffle);
    state_.add(s);
  }

 private:
  /// The way by which the lane that is read has left all shuffles behind, if it has.
  void find_way(Sighting& s, const InactiveShuffle& shuffle) const {
    for (const LeavingWay& way : ways_) {
      if (way.warp != shuffle.warp || (way.lanes >> shuffle.lane & 1) == 0) continue;
      s.way = way.early_end ? WayPast::early_end : WayPast::branch;
      s.left_at = way.early_end.value_or(way.branch);
    }
  }

  State& state_;
  std::uint64_t block_ = 0;
  std::vector<LeavingWay> ways_;
};

}  // namespace

ShuffleChecker::ShuffleChecker() : state_(std::make_unique<State>()) {}
ShuffleChecker::~ShuffleChecker() = default;

void ShuffleChecker::launch_begin(const LaunchInfo& launch) {
  state_->config = launch.config;
  state_->logs.clear();
}

std::unique_ptr<BlockObserver> ShuffleChecker::observe_block() {
  return std::make_unique<ShuffleBlockObserver<State>>(*state_);
}

std::set<std::uint32_t> ShuffleChecker::instructions() const {
  std::set<std::uint32_t> all;
  for (const auto& [instruction, log] : state_->logs) all.insert(instruction);
  return all;
}

std::vector<Finding> ShuffleChecker::findings(const LaunchNames& names,
                                              const std::set<std::uint32_t>& instructions) const {
  FindingLog together;
  for (const auto& [instruction, log] : state_->logs) {
    if (instructions.contains(instruction)) together.merge(log);
  }
  return together.findings(names, state_->config);
}

}  // namespace cudalabs::vgpu
