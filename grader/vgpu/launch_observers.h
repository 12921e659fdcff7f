// Who watches one execution of a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "vgpu/check/barrier_checker.h"
#include "vgpu/check/initialized_checker.h"
#include "vgpu/check/input_checker.h"
#include "vgpu/check/memory_checker.h"
#include "vgpu/check/race_filter.h"
#include "vgpu/check/race_recorder.h"
#include "vgpu/check/shuffle_checker.h"
#include "vgpu/check/writer_recorder.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"
#include "vgpu/input_array.h"
#include "vgpu/loaded_module.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/profile/access_recorder.h"
#include "vgpu/profile/counter_collector.h"
#include "vgpu/profile/read_recorder.h"
#include "vgpu/profile/thread_work.h"
#include "vgpu/profile/touch_recorder.h"
#include "vgpu/touched_bytes.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

/// The observers of one execution of a launch, and what becomes of what they saw.
struct LaunchObservers {
  /// `written`: the arrays of which is told who writes to them.
  /// Those that the options ask for, but for `filter`, `recorder` and `touches`, which depend on the execution.
  LaunchObservers(const VirtualGpuOptions& options, const LoadedModule& module, const KernelInfo& kernel,
                  GlobalMemory& memory, std::span<const InputArray> read_only, std::span<const ByteRange> written);

  std::vector<Observer*> list();
  std::vector<Finding> findings(const LaunchNames& names) const;

  MemoryChecker accesses;
  BarrierChecker barriers;
  ShuffleChecker shuffles;
  std::set<std::uint32_t> shuffles_that_matter;
  std::optional<RaceFilter> filter;
  std::optional<RaceRecorder> recorder;
  std::optional<InitializedChecker> initialized;
  std::optional<InputChecker> inputs;
  std::optional<WriterRecorder> writers;
  std::optional<CounterCollector> counters;
  std::optional<AccessRecorder> examples;
  std::optional<WorkRecorder> work;
  std::optional<ReadRecorder> reads;
  std::optional<TouchRecorder> touches;
};

}  // namespace cudalabs::vgpu
