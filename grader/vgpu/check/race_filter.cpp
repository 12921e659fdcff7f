// The filter's view of one block: stamps, shared cells, and its accesses to the cells of global memory.
#include "vgpu/check/race_filter.h"

#include <algorithm>

#include "vgpu/check/barrier_needs.h"
#include "vgpu/check/block_phases.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/check/shared_shadow.h"

namespace cudalabs::vgpu {

struct RaceFilter::State {
  explicit State(GlobalShadow& global_shadow) : shadow(global_shadow) {}
  GlobalShadow& shadow;
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
      : launch_(launch), global_(launch.shadow), barriers_(launch.barriers), shared_(phases_, barriers_) {
    shared_.resize(launch.shared_bytes);
  }

  Interests interests() const override { return {.current_values = false, .counts = false}; }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    threads_ = block.threads;
    barriers_.begin_block();
    shared_.begin_block(phases_.begin((block.threads + kWarpSize - 1) / kWarpSize));
    if (block_ >= GlobalCell::kMostBlocks) suspect();
  }

  void block_end(std::span<const std::uint64_t>, std::span<const std::uint64_t>) override { barriers_.end_block(); }

  void access(const WarpAccess& a) override {
    // Once a launch is suspicious it will be repeated.
    if (launch_.suspicious->load(std::memory_order_relaxed)) return;
    bool clean = true;
    if (a.space == MemorySpace::shared) {
      clean = shared_.access(a);
    } else if (a.space == MemorySpace::global) {
      clean = global_access(a);
    }
    if (!clean) suspect();
  }

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

  bool global_access(const WarpAccess& a) {
    bool clean = true;
    ThreadView view{0, phases_.stamp(a.warp), phases_.phase()};
    for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
      view.thread = first_thread(a.warp, lanes);
      clean &= lane_access(a, global_.offset(a.address[first_lane(lanes)]), view);
    }
    return clean;
  }

  /// An access is aligned and lies in one line.
  bool lane_access(const WarpAccess& a, std::uint64_t offset, const ThreadView& view) {
    const std::uint64_t number = offset / GlobalShadow::kLineBytes;
    GlobalShadow::Hold hold(global_, number, launch_.concurrent);
    GlobalShadow::Line& line = hold.line();
    bool clean = true;
    if (a.bytes >= GlobalShadow::kWord && line.bytes == 0) {
      GlobalCell* cell = global_.words(number) + offset / GlobalShadow::kWord % GlobalShadow::kLineWords;
      std::uint32_t newly_saturated = 0;
      for (std::uint32_t i = 0; i < a.bytes / GlobalShadow::kWord; ++i) {
        const CellState before = cell[i].state();
        clean &= step(cell[i], a, view);
        newly_saturated += before != CellState::read_by_blocks && cell[i].state() == CellState::read_by_blocks;
      }
      if (newly_saturated != 0) global_.count_saturated(line, number, newly_saturated);
    } else {
      GlobalCell* cell = global_.bytes(line, number).data() + offset % GlobalShadow::kLineBytes;
      for (std::uint32_t i = 0; i < a.bytes; ++i) clean &= step(cell[i], a, view);
    }
    return clean;
  }

  bool step(GlobalCell& cell, const WarpAccess& a, const ThreadView& view) {
    const CellStep step = a.kind == AccessKind::load ? after_load(cell, block_, view)
                          : a.kind == AccessKind::store
                              ? after_store(cell, block_, view)
                              : after_atomic(cell, block_, view, a.scope == MemoryScope::block);
    cell = step.cell;
    if (step.separated != CellStep::Conflict::none && !barriers_.settled()) note_separation(step, view);
    return step.clean;
  }

  void note_separation(const CellStep& step, const ThreadView& view) {
    if (step.separated == CellStep::Conflict::unknown) return barriers_.separates_unknown();
    if (step.same_warp && phases_.synced_since(view.thread / kWarpSize, step.since)) return;
    barriers_.separates(step.since);
  }

  Launch& launch_;
  GlobalShadow& global_;
  BlockPhases phases_;
  BlockBarriers barriers_;
  SharedShadow shared_;
  std::uint64_t block_ = 0;
  std::uint32_t threads_ = 0;
};

}  // namespace

RaceFilter::RaceFilter(GlobalShadow& shadow) : state_(std::make_unique<State>(shadow)) {
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
