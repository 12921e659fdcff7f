// Looks at every store and atomic in global memory; loads cost it nothing but the call.
#include "vgpu/check/input_checker.h"

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

namespace {

class InputBlockObserver : public BlockObserver {
 public:
  InputBlockObserver(LaunchLog& log, std::span<const InputArray> inputs) : log_(log), inputs_(inputs) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }

  void block_begin(const BlockInfo& block) override { block_ = block.index; }

  void access(const WarpAccess& a) override {
    if (a.kind == AccessKind::load || a.space != MemorySpace::global) return;
    for (const InputArray& input : inputs_) {
      LaneMask hits = 0;
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
        if (input.meets(a.address[first_lane(lanes)], a.bytes)) hits |= lanes & -lanes;
      }
      if (hits != 0) add(a, hits);
    }
  }

 private:
  void add(const WarpAccess& a, LaneMask lanes) {
    Sighting s;
    s.verdict = Verdict::input_overwritten;
    s.at.instruction = a.instruction;
    s.at.thread = {block_, first_thread(a.warp, lanes)};
    s.at.access = a.kind;
    s.space = a.space;
    s.address = a.address[first_lane(lanes)];
    s.bytes = a.bytes;
    s.count = count_lanes(lanes);
    log_.add(s);
  }

  LaunchLog& log_;
  std::span<const InputArray> inputs_;
  std::uint64_t block_ = 0;
};

}  // namespace

struct InputChecker::State {
  std::span<const InputArray> inputs;
  LaunchLog log;
};

InputChecker::InputChecker(std::span<const InputArray> inputs) : state_(std::make_unique<State>()) {
  state_->inputs = inputs;
}
InputChecker::~InputChecker() = default;

void InputChecker::launch_begin(const LaunchInfo& launch) {
  state_->log.begin(launch.config);
}

std::unique_ptr<BlockObserver> InputChecker::observe_block() {
  return std::make_unique<InputBlockObserver>(state_->log, state_->inputs);
}

std::vector<Finding> InputChecker::findings(const LaunchNames& names) const {
  return state_->log.findings(names);
}

}  // namespace cudalabs::vgpu
