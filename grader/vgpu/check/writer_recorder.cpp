// A block sums up what it has written, so that only its end takes the lock.
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

  /// The array that holds the byte; without one, an empty one whose index is the number of arrays.
  Array array_at(std::uint64_t address) const {
    const auto after =
        std::ranges::upper_bound(arrays, address, {}, [](const Array& array) { return array.bytes.begin; });
    if (after == arrays.begin() || std::prev(after)->bytes.end <= address) return {{}, arrays.size()};
    return *std::prev(after);
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

  Interests interests() const override {
    return {.current_values = false, .warp_syncs = false, .counts = false, .load_runs = true};
  }

  void access(const WarpAccess& a) override {
    if (a.kind == AccessKind::load || a.space != MemorySpace::global || a.active == 0) return;
    Seen& seen = seen_at(a.address[first_lane(a.active)], a.instruction);
    if (seen.came.size() <= a.warp) seen.came.resize(a.warp + 1);
    LaneMask& came = seen.came[a.warp];
    if (const LaneMask first = a.active & ~came; first != 0) seen.written.threads += count_lanes(first);
    seen.written.stores += count_lanes(a.active);
    came |= a.active;
    widen(seen.written.bytes, bytes_of(a));
  }

  void load_run(const LoadRun&) override {}

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
  static constexpr std::uint32_t kNone = ~0u;

  struct Seen {
    std::pair<std::size_t, std::uint32_t> what;
    ByteRange array;             // empty: outside of all arrays
    Written written;             // by the block
    std::vector<LaneMask> came;  // by warp
  };

  /// An instruction nearly always writes to the array that it wrote to before.
  Seen& seen_at(std::uint64_t address, std::uint32_t instruction) {
    if (latest_.size() <= instruction) latest_.resize(instruction + 1, kNone);
    std::uint32_t& latest = latest_[instruction];
    if (latest != kNone && seen_[latest].array.begin <= address && address < seen_[latest].array.end)
      return seen_[latest];
    const auto array = state_.array_at(address);
    const std::pair what(array.index, instruction);
    const auto known = std::ranges::find(seen_, what, &Seen::what);
    latest = static_cast<std::uint32_t>(known - seen_.begin());
    if (known == seen_.end()) seen_.push_back({what, array.bytes, {}, {}});
    return seen_[latest];
  }

  State& state_;
  std::vector<Seen> seen_;
  std::vector<std::uint32_t> latest_;  // by instruction: an index of seen_
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
