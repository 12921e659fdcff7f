// Every block observer keeps its own examples; the best of them are the launch's.
#include "vgpu/profile/access_recorder.h"

#include <bit>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace cudalabs::vgpu {
namespace {

using Examples = std::map<std::uint32_t, RecordedAccess>;  // by instruction

/// Whether `one` is to be kept rather than `other`, which came first if they are by one warp.
bool better(const RecordedAccess& one, const RecordedAccess& other) {
  const auto rank = [](const RecordedAccess& a) { return std::tuple(a.block, a.warp, -std::popcount(a.active)); };
  return rank(one) < rank(other);
}

class RecorderBlock : public BlockObserver {
 public:
  explicit RecorderBlock(Examples& examples) : examples_(examples) {}

  Interests interests() const override {
    return {.current_values = false, .warp_syncs = false, .counts = false, .bulk_copies = false};
  }

  void block_begin(const BlockInfo& block) override { block_ = block; }

  void access(const WarpAccess& access) override {
    if (access.space != MemorySpace::global && access.space != MemorySpace::shared) return;
    RecordedAccess example;
    example.instruction = access.instruction;
    example.block = block_.index;
    example.warp = access.warp;
    example.block_threads = block_.threads;
    example.kind = access.kind;
    example.space = access.space;
    example.bytes = access.bytes;
    example.active = access.active;
    const auto [kept, is_new] = examples_.try_emplace(access.instruction, example);
    if (!is_new && !better(example, kept->second)) return;
    for (LaneMask left = access.active; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      example.address[lane] = access.address[lane];
    }
    kept->second = example;
  }

 private:
  Examples& examples_;
  BlockInfo block_;
};

}  // namespace

struct AccessRecorder::State {
  std::mutex mutex;  // guards the list
  std::vector<std::unique_ptr<Examples>> examples;
};

AccessRecorder::AccessRecorder() : state_(std::make_unique<State>()) {}
AccessRecorder::~AccessRecorder() = default;

std::unique_ptr<BlockObserver> AccessRecorder::observe_block() {
  const std::lock_guard lock(state_->mutex);
  state_->examples.push_back(std::make_unique<Examples>());
  return std::make_unique<RecorderBlock>(*state_->examples.back());
}

std::vector<RecordedAccess> AccessRecorder::recorded() const {
  Examples best;
  for (const auto& examples : state_->examples) {
    for (const auto& [instruction, example] : *examples) {
      const auto [kept, is_new] = best.try_emplace(instruction, example);
      if (!is_new && better(example, kept->second)) kept->second = example;
    }
  }
  std::vector<RecordedAccess> recorded;
  for (const auto& [instruction, example] : best) recorded.push_back(example);
  return recorded;
}

}  // namespace cudalabs::vgpu
