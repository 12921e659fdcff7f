// What was counted over all launches of a virtual GPU.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vgpu/loaded_module.h"
#include "vgpu/profile/branch_sums.h"
#include "vgpu/profile/counter_collector.h"
#include "vgpu/profile/launch_counters.h"
#include "vgpu/profile/line_counts.h"

namespace cudalabs::vgpu {

/// Adding a launch costs by what it could come to, not by the size of its module nor by the launches before.
class CountTotals {
 public:
  /// How far the blocks of a launch ran that were to be executed: all to their ends; each to its end or to the limit of
  /// instructions; or only until the launch was lost.
  enum class Reached : std::uint8_t { end, end_or_limit, neither };

  /// A launch of a kernel of `module`, which is known by `handle`.
  void add(std::uint32_t handle, const LoadedModule& module, const KernelInfo& kernel, const LaunchConfig& config,
           const CounterCollector& counters, Reached reached);
  /// The module goes; what its launches did stays.
  void unload(std::uint32_t handle, const LoadedModule& module);

  /// Of the first kMostLaunches launches.
  const std::vector<LaunchCounters>& launches() const { return launches_; }
  std::uint64_t launch_count() const { return launch_count_; }
  LineCoverage coverage(const std::map<std::uint32_t, LoadedModule>& modules) const;
  BranchCoverage branches() const { return branches_.coverage(); }

  static constexpr std::size_t kMostLaunches = 4096;

 private:
  struct ModuleTotals {
    LineCounts lines;
    BranchSums::ModuleBranches branches;
  };

  std::uint64_t launch_count_ = 0;
  std::vector<LaunchCounters> launches_;
  std::map<std::uint32_t, ModuleTotals> modules_;  // by handle: those that were launched from
  LineCoverage unloaded_;                          // of modules that are gone
  BranchSums branches_;
};

}  // namespace cudalabs::vgpu
