// The filter's view of one block: stamps, shared cells, and its accesses to the cells of global memory.
#include "vgpu/check/race_filter.h"

#include <algorithm>

#include "vgpu/check/barrier_needs.h"
#include "vgpu/check/block_global_shadow.h"
#include "vgpu/check/block_phases.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/check/shared_shadow.h"

namespace cudalabs::vgpu {

struct RaceFilter::State {
  State(GlobalShadow& global_shadow, const ShadowKernels& chosen_kernels)
      : shadow(global_shadow), kernels(chosen_kernels) {}
  GlobalShadow& shadow;
  const ShadowKernels kernels;
  LaunchBarriers barriers;
  std::uint32_t shared_bytes = 0;
  bool concurrent = false;
  std::atomic<bool>* suspicious = nullptr;
};

namespace {

template <class Launch>
class FilterBlock : public BlockObserver {
 public:
  explicit FilterBlock(Launch& launch)
      : launch_(launch),
        barriers_(launch.barriers),
        shared_(phases_, barriers_, launch.kernels),
        global_(launch.shadow, phases_, barriers_, launch.kernels, launch.concurrent) {
    shared_.resize(launch.shared_bytes);
  }

  Interests interests() const override { return {.current_values = false, .counts = false, .load_runs = true}; }

  void block_begin(const BlockInfo& block) override {
    threads_ = block.threads;
    barriers_.begin_block();
    shared_.begin_block(phases_.begin((block.threads + kWarpSize - 1) / kWarpSize));
    global_.begin_block(block.index);
    if (block.index >= GlobalCell::kMostBlocks) suspect();
  }

  void block_end(std::span<const InstructionCount>) override { barriers_.end_block(); }

  void access(const WarpAccess& a) override {
    // Once a launch is suspicious it will be repeated.
    if (launch_.suspicious->load(std::memory_order_relaxed)) return;
    bool clean = true;
    if (a.space == MemorySpace::shared) {
      clean = shared_.access(a);
    } else if (a.space == MemorySpace::global) {
      clean = global_.access(a);
    } else if (a.space == MemorySpace::cluster) {
      clean = false;  // what blocks of a cluster do to each other's shared memory, the recorder judges
    }
    if (!clean) suspect();
  }

  void load_run(const LoadRun& run) override {
    if (launch_.suspicious->load(std::memory_order_relaxed)) return;
    if (!(run.first.space == MemorySpace::shared ? shared_.load_run(run) : global_.load_run(run))) suspect();
  }

  void store_begins(const WarpAccess& a) override { access(a); }
  /// Copies that go on beside the threads, the recorder judges.
  void bulk_begins(const BulkBegin&) override { suspect(); }

  void warp_sync(std::uint32_t warp, LaneMask lanes, std::uint32_t) override {
    const LaneMask all = lanes_of_warp(warp, threads_);
    if ((lanes & all) != all) return;
    phases_.sync_warp(warp);
    if (phases_.exhausted()) suspect();
  }

  void barrier_arrive(const BarrierArrival& a) override { barriers_.arrive(a.instruction); }

  void barrier_complete(const BarrierCompletion& completion) override {
    if (!completion.whole_block) return barriers_.complete_counted();
    phases_.next_phase();
    barriers_.complete(phases_.phase());
    if (phases_.exhausted()) suspect();
  }

 private:
  void suspect() { launch_.suspicious->store(true, std::memory_order_relaxed); }

  Launch& launch_;
  BlockPhases phases_;
  BlockBarriers barriers_;
  SharedShadow shared_;
  BlockGlobalShadow global_;
  std::uint32_t threads_ = 0;
};

}  // namespace

RaceFilter::RaceFilter(GlobalShadow& shadow, const ShadowKernels& kernels)
    : state_(std::make_unique<State>(shadow, kernels)) {
  state_->suspicious = &suspicious_;
}
RaceFilter::~RaceFilter() = default;

void RaceFilter::launch_begin(const LaunchInfo& launch) {
  state_->shared_bytes = launch.shared_bytes;
  state_->concurrent = launch.concurrent;
  state_->shadow.begin_launch();
}

std::unique_ptr<BlockObserver> RaceFilter::observe_block() {
  return std::make_unique<FilterBlock<State>>(*state_);
}

BarrierUsage RaceFilter::barrier_usage(const LaunchNames& names) const {
  return state_->barriers.usage(names, suspicious());
}

}  // namespace cudalabs::vgpu
