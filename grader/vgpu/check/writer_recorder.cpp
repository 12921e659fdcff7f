// A block keeps what it has told already, so that only the first write of an instruction takes the lock.
#include "vgpu/check/writer_recorder.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

struct WriterRecorder::State {
  std::span<const InputArray> outputs;
  std::set<std::pair<std::size_t, std::uint32_t>> written;
  mutable std::mutex mutex;
};

namespace {

template <class State>
class WriterBlockObserver : public BlockObserver {
 public:
  explicit WriterBlockObserver(State& state) : state_(state) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }

  void access(const WarpAccess& a) override {
    if (a.kind == AccessKind::load || a.space != MemorySpace::global || a.active == 0) return;
    const std::uint64_t address = a.address[first_lane(a.active)];
    const auto array =
        std::ranges::find_if(state_.outputs, [&](const InputArray& output) { return output.meets(address, a.bytes); });
    const std::pair written(static_cast<std::size_t>(array - state_.outputs.begin()), a.instruction);
    if (std::ranges::find(told_, written) != told_.end()) return;
    told_.push_back(written);
    const std::lock_guard lock(state_.mutex);
    state_.written.insert(written);
  }

 private:
  State& state_;
  std::vector<std::pair<std::size_t, std::uint32_t>> told_;
};

}  // namespace

WriterRecorder::WriterRecorder(std::span<const InputArray> outputs) : state_(std::make_unique<State>()) {
  state_->outputs = outputs;
}
WriterRecorder::~WriterRecorder() = default;

void WriterRecorder::launch_begin(const LaunchInfo&) {
  state_->written.clear();
}

std::unique_ptr<BlockObserver> WriterRecorder::observe_block() {
  return std::make_unique<WriterBlockObserver<State>>(*state_);
}

std::set<std::pair<std::size_t, std::uint32_t>> WriterRecorder::written() const {
  const std::lock_guard lock(state_->mutex);
  return state_->written;
}

}  // namespace cudalabs::vgpu
