// Always-on race detection that may cry wolf but never misses: says whether a launch must be repeated under
// RaceRecorder.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/global_shadow.h"
#include "vgpu/check/launch_names.h"
#include "vgpu/check/shadow_kernels.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// One launch. `suspicious()` may be asked at any time, also while the launch runs (then true is final): a launch that
/// is suspicious can be abandoned at once, its memory rolled back and the launch repeated under RaceRecorder.
class RaceFilter : public Observer {
 public:
  explicit RaceFilter(GlobalShadow& shadow, const ShadowKernels& kernels = shadow_kernels());
  ~RaceFilter() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  bool suspicious() const { return suspicious_.load(std::memory_order_relaxed); }
  /// After launch_end: the barriers of this launch. All count as needed when the launch was suspicious.
  BarrierUsage barrier_usage(const LaunchNames& names) const;

 private:
  struct State;
  std::atomic<bool> suspicious_{false};
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
