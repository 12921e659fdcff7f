// What a virtual GPU consists of: memory, programs, the threads that execute, and what was seen so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/global_shadow.h"
#include "vgpu/check/program_names.h"
#include "vgpu/count_totals.h"
#include "vgpu/exec/launcher.h"
#include "vgpu/kept_variables.h"
#include "vgpu/late_writers.h"
#include "vgpu/launch_observers.h"
#include "vgpu/loaded_module.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/profile/access_recorder.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"
#include "vgpu/writer_log.h"

namespace cudalabs::vgpu {

struct VirtualGpu::State {
  explicit State(VirtualGpuOptions chosen)
      : options(std::move(chosen)),
        memory(options.model.global_bytes, options.sampled_blocks == 0),
        pool(options.workers),
        kept(options.reset_variables) {
    if (options.check_races) shadow.emplace(kGlobalBase, kGlobalWindow);
  }

  /// Executes the kernel, and again where one run does not tell enough. `observers` become those of the last run.
  exec::LaunchResult execute(const LoadedModule& module, const KernelInfo& kernel, const LaunchConfig& config,
                             std::span<const std::byte> parameters, bool record_touched, std::uint32_t depth,
                             std::optional<LaunchObservers>& observers);
  /// Those of a launch that has just come to its end and can be undone.
  void judge_unwritten_reads(const KernelInfo& kernel, const exec::LaunchRequest& request, InitializedChecker& checker);
  /// Executes it, and keeps what was seen: findings, counts, examples.
  /// `depth`: how many kernels have started it, one the other.
  LaunchOutcome launch(std::uint32_t handle, const LoadedModule& module, const KernelInfo& kernel,
                       const LaunchConfig& config, std::span<const std::byte> parameters, bool record_touched,
                       std::uint32_t depth = 0);
  /// What a kernel has asked for, and who that kernel is. Nothing is owned.
  struct DeviceLaunches {
    std::span<const exec::DeviceLaunch> launches;
    std::uint32_t handle;
    const LoadedModule& module;
    const KernelInfo& kernel;
    const LaunchConfig& config;
    bool record_touched;
    std::uint32_t depth;  // of that kernel
  };
  /// Does it, and adds to the outcome of that kernel's launch what it came to.
  void run_device_launches(const DeviceLaunches& asked, LaunchOutcome& outcome);
  void run_device_launch(const DeviceLaunches& asked, const exec::DeviceLaunch& each,
                         std::span<const std::byte> parameters, LaunchOutcome& outcome);
  void keep_examples(const AccessRecorder& examples, const ProgramNames& names, const LaunchConfig& config);

  void keep_reads(const ReadRecorder& recorder, const ProgramNames& names, const LaunchConfig& config);

  /// Where only some blocks are executed, memory that nothing has written counts as zeros.
  bool knows_what_is_written() const { return options.sampled_blocks == 0; }

  VirtualGpuOptions options;
  GlobalMemory memory;
  exec::WorkerPool pool;
  KeptVariables kept;
  std::optional<GlobalShadow> shadow;
  /// Whether reads of what nobody has written changed what a kernel did.
  struct UnwrittenReadsOf {
    bool matter = false;         // in a launch
    std::uint32_t harmless = 0;  // launches before in which they did not
  };
  std::map<std::string, UnwrittenReadsOf> unwritten_reads;  // by kernel
  std::vector<InputArray> inputs, outputs;
  std::map<std::uint32_t, LoadedModule> modules;
  std::uint32_t next_module = 1;
  ImageTable images;
  std::uint64_t next_image = 1;
  std::uint64_t heap_bytes = exec::LaunchRequest{}.heap_bytes;
  DeviceAddress grid_workspace = 0;  // for cooperative launches; 0 before the first
  std::uint64_t launch_number = 0;
  std::atomic<bool> interrupted{false};
  std::vector<ptx::Refusal> refusals;
  std::vector<Finding> findings;
  CountTotals counted;
  WriterLog writers;
  LateWriters late_writers;
  std::vector<AccessSample> samples;
  std::set<std::pair<std::string, std::uint32_t>> sampled;  // kernel, instruction
  std::vector<ThreadWork> work;                             // of the first launches
  std::uint64_t recorded_threads = 0;                       // of all of them
  std::vector<ArrayReads> reads;                            // of the first inputs
  BarrierUsage usage;
};

}  // namespace cudalabs::vgpu
