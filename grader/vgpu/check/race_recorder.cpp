// Happens-before, exactly: every thread has a clock, every byte the accesses that later ones may still conflict with.
#include "vgpu/check/race_recorder.h"

#include "vgpu/check/recorder_block.h"

namespace cudalabs::vgpu {

struct RaceRecorder::State {
  explicit State(const InstructionRoles& roles) : launch(roles) {}
  RecordedLaunch launch;
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
