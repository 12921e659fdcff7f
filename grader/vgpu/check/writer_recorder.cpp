// A block sums up what it has written, so that only its end takes the lock.
#include "vgpu/check/writer_recorder.h"

#include <algorithm>
#include <bit>
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
  std::map<std::pair<std::size_t, std::uint32_t>, Written> written;
  mutable std::mutex mutex;
};

namespace {

void widen(ByteRange& range, const ByteRange& by) {
  const bool empty = range.begin == range.end;
  range = empty ? by : ByteRange{std::min(range.begin, by.begin), std::max(range.end, by.end)};
}

ByteRange bytes_of(const WarpAccess& a) {
  if (a.consecutive) return {a.address[0], a.address[0] + std::uint64_t{a.bytes} * kWarpSize};
  ByteRange range;
  for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t at = a.address[first_lane(lanes)];
    widen(range, {at, at + a.bytes});
  }
  return range;
}

template <class State>
class WriterBlockObserver : public BlockObserver {
 public:
  explicit WriterBlockObserver(State& state) : state_(state) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }

  void access(const WarpAccess& a) override {
    if (a.kind == AccessKind::load || a.space != MemorySpace::global || a.active == 0) return;
    Seen& seen = seen_by(state_.index_of(a.address[first_lane(a.active)]), a.instruction);
    if (seen.came.size() <= a.warp) seen.came.resize(a.warp + 1);
    LaneMask& came = seen.came[a.warp];
    seen.written.threads += static_cast<std::uint64_t>(std::popcount(a.active & ~came));
    seen.written.stores += static_cast<std::uint64_t>(std::popcount(a.active));
    came |= a.active;
    widen(seen.written.bytes, bytes_of(a));
  }

  void block_end(std::span<const InstructionCount>) override {
    const std::lock_guard lock(state_.mutex);
    for (Seen& seen : seen_) {
      if (seen.written.stores == 0) continue;
      Written& all = state_.written[seen.what];
      all.threads += seen.written.threads;
      all.stores += seen.written.stores;
      widen(all.bytes, seen.written.bytes);
      seen.written = {};
      std::ranges::fill(seen.came, 0);
    }
  }

 private:
  struct Seen {
    std::pair<std::size_t, std::uint32_t> what;
    Written written;             // by the block
    std::vector<LaneMask> came;  // by warp
  };

  Seen& seen_by(std::size_t array, std::uint32_t instruction) {
    const std::pair what(array, instruction);
    if (last_ < seen_.size() && seen_[last_].what == what) return seen_[last_];
    const auto known = std::ranges::find(seen_, what, &Seen::what);
    last_ = static_cast<std::size_t>(known - seen_.begin());
    if (known == seen_.end()) seen_.push_back({what, {}, {}});
    return seen_[last_];
  }

  State& state_;
  std::vector<Seen> seen_;
  std::size_t last_ = 0;
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
  std::set<std::pair<std::size_t, std::uint32_t>> written;
  for (const auto& [what, extent] : extents()) written.insert(what);
  return written;
}

std::map<std::pair<std::size_t, std::uint32_t>, Written> WriterRecorder::extents() const {
  const std::lock_guard lock(state_->mutex);
  return state_->written;
}

}  // namespace cudalabs::vgpu
