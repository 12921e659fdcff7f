// Blocks share one table: each has threads of its own there.
#include "vgpu/profile/thread_work.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cudalabs::vgpu {
namespace {

class WorkBlock : public BlockObserver {
 public:
  explicit WorkBlock(ThreadWork& work) : work_(work) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }
  void block_begin(const BlockInfo& block) override { first_ = block.index * work_.config.threads_per_block(); }

  void access(const WarpAccess& access) override {
    if (access.space != MemorySpace::global || work_.did.empty()) return;
    const bool loads = access.kind != AccessKind::store, stores = access.kind != AccessKind::load;
    const auto done = static_cast<std::uint8_t>((loads ? ThreadWork::kLoads : 0) | (stores ? ThreadWork::kStores : 0));
    for (LaneMask left = access.active; left != 0; left &= left - 1) {
      const std::uint64_t thread = std::uint64_t{access.warp} * kWarpSize + std::countr_zero(left);
      work_.did[first_ + thread] |= done;
    }
  }

 private:
  ThreadWork& work_;
  std::uint64_t first_ = 0;  // thread of the block
};

/// Of one block.
void add_block(LostWork& lost, const Index3& extent, std::span<const std::uint8_t> was,
               std::span<const std::uint8_t> is) {
  std::vector<std::uint8_t> from_here(is.begin(), is.end());  // what a thread and those behind it do
  std::uint8_t block_was = 0;
  const std::array<std::size_t, 3> steps{1, extent[0], std::size_t{extent[0]} * extent[1]};
  for (std::size_t i = is.size(); i-- > 0;) {
    const Index3 thread = coordinates(i, extent);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (thread[axis] + 1 < extent[axis]) from_here[i] |= from_here[i + steps[axis]];
    }
    block_was |= was[i];
    if ((was[i] & ~is[i] & from_here[i]) != 0) ++lost.threads;
  }
  if ((block_was & ~from_here.front()) != 0) ++lost.blocks;
}

bool same_shape(const LaunchConfig& one, const LaunchConfig& other) {
  return one.grid == other.grid && one.block == other.block;
}

}  // namespace

LostWork lost_work(std::span<const ThreadWork> before, std::span<const ThreadWork> after) {
  LostWork lost;
  for (std::size_t launch = 0; launch < std::min(before.size(), after.size()); ++launch) {
    const ThreadWork &was = before[launch], &is = after[launch];
    if (!same_shape(was.config, is.config) || was.did.size() != is.did.size()) continue;
    const std::size_t threads = was.config.threads_per_block();
    for (std::size_t first = 0; threads > 0 && first + threads <= was.did.size(); first += threads) {
      add_block(lost, was.config.block, std::span(was.did).subspan(first, threads),
                std::span(is.did).subspan(first, threads));
    }
  }
  return lost;
}

WorkRecorder::WorkRecorder() : work_(std::make_unique<ThreadWork>()) {}
WorkRecorder::~WorkRecorder() = default;

void WorkRecorder::launch_begin(const LaunchInfo& launch) {
  work_->config = launch.config;
  const std::uint64_t threads = launch.config.threads_per_block();
  // Blocks may be many: divided, not multiplied.
  const bool few = threads > 0 && launch.config.blocks() <= ThreadWork::kMostThreads / threads;
  work_->did.assign(few ? launch.config.blocks() * threads : 0, 0);
}

std::unique_ptr<BlockObserver> WorkRecorder::observe_block() {
  return std::make_unique<WorkBlock>(*work_);
}

const ThreadWork& WorkRecorder::work() const {
  return *work_;
}

}  // namespace cudalabs::vgpu
