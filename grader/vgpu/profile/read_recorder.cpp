// Used for small inputs alone: all blocks write to one table, one access at a time.
#include "vgpu/profile/read_recorder.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace cudalabs::vgpu {

struct ReadRecorder::State {
  struct Array {
    std::uint64_t begin = 0, end = 0;  // in bytes
    std::uint32_t element_bytes = 1;
    std::vector<RecordedReads> elements;
  };
  std::mutex mutex;  // guards what was read
  std::vector<Array> arrays;

  void add(std::uint64_t address, std::uint64_t bytes, const RecordedReads::Reader& reader) {
    for (Array& array : arrays) {
      if (array.elements.empty() || address >= array.end || address + bytes <= array.begin) continue;
      const std::uint64_t from = std::max(address, array.begin) - array.begin;
      const std::uint64_t last = std::min(address + bytes, array.end) - 1 - array.begin;
      for (std::uint64_t i = from / array.element_bytes; i <= last / array.element_bytes; ++i) {
        RecordedReads& reads = array.elements[i];
        reads.first = reads.count == 0 ? reader : std::min(reads.first, reader);
        reads.last = reads.count == 0 ? reader : std::max(reads.last, reader);
        ++reads.count;
      }
    }
  }
};

namespace {

/// `State` is the recorder's.
template <typename State>
class ReadBlock : public BlockObserver {
 public:
  explicit ReadBlock(State& state) : state_(state) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }
  void block_begin(const BlockInfo& block) override { block_ = block.index; }

  void access(const WarpAccess& access) override {
    if (access.space != MemorySpace::global || access.kind == AccessKind::store) return;
    const std::scoped_lock lock(state_.mutex);
    for (LaneMask left = access.active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      state_.add(access.address[lane], access.bytes, {block_, access.warp * kWarpSize + lane, access.instruction});
    }
  }

 private:
  State& state_;
  std::uint64_t block_ = 0;
};

}  // namespace

ReadRecorder::ReadRecorder(std::span<const InputArray> arrays, std::uint64_t most) : state_(std::make_unique<State>()) {
  for (const InputArray& array : arrays) {
    State::Array added{array.address, array.address + array.bytes, std::max(array.element_bytes, 1u), {}};
    const std::uint64_t elements = (array.bytes + added.element_bytes - 1) / added.element_bytes;
    if (elements <= most) {
      added.elements.resize(elements);
      most -= elements;
    }
    state_->arrays.push_back(std::move(added));
  }
}
ReadRecorder::~ReadRecorder() = default;

std::unique_ptr<BlockObserver> ReadRecorder::observe_block() {
  return std::make_unique<ReadBlock<State>>(*state_);
}

std::span<const RecordedReads> ReadRecorder::of_array(std::size_t number) const {
  return state_->arrays[number].elements;
}

}  // namespace cudalabs::vgpu
