// A block keeps what it has told already, so that only the first write of an instruction takes the lock.
#include "vgpu/check/writer_recorder.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <vector>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

struct WriterRecorder::State {
  struct Array {
    ByteRange bytes;
    std::size_t index;
  };

  /// Of the array that holds the byte; without one, the number of arrays.
  std::size_t index_of(std::uint64_t address) const {
    const auto after =
        std::ranges::upper_bound(arrays, address, {}, [](const Array& array) { return array.bytes.begin; });
    if (after == arrays.begin() || std::prev(after)->bytes.end <= address) return arrays.size();
    return std::prev(after)->index;
  }

  std::vector<Array> arrays;  // by address
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
    const std::pair written(state_.index_of(a.address[first_lane(a.active)]), a.instruction);
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

WriterRecorder::WriterRecorder(std::span<const ByteRange> arrays) : state_(std::make_unique<State>()) {
  for (const ByteRange& array : arrays) state_->arrays.push_back({array, state_->arrays.size()});
  std::ranges::sort(state_->arrays, {}, [](const State::Array& array) { return array.bytes.begin; });
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
