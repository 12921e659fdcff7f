// What was counted over all launches of a virtual GPU.
#include "vgpu/count_totals.h"

namespace cudalabs::vgpu {
namespace {

/// A client decides how many branches there are; what is told of them is bounded.
constexpr std::size_t kMostBranches = 20'000;

}  // namespace

void CountTotals::add(std::uint32_t handle, const LoadedModule& module, const KernelInfo& kernel,
                      const LaunchConfig& config, const CounterCollector& counters, Reached reached) {
  ++launch_count_;
  if (launches_.size() < kMostLaunches) {
    launches_.push_back({.kernel = kernel.display,
                         .config = config,
                         .executed_blocks = counters.executed_blocks(),
                         .complete = reached == Reached::end,
                         .slow_blocks_stopped = reached == Reached::end_or_limit,
                         .registers = kernel.registers,
                         .shared_bytes = kernel.static_shared_bytes + config.dynamic_shared_bytes,
                         .values = counters.counters()});
  }
  ModuleTotals& totals = modules_[handle];
  totals.lines.add(module.instructions, counters.kernel(), counters.lanes());
  if (reached == Reached::end && branches_.size() < kMostBranches)
    branches_.add(totals.branches, module.branches, counters.kernel(), counters.lanes());
}

void CountTotals::unload(std::uint32_t handle, const LoadedModule& module) {
  const auto totals = modules_.find(handle);
  if (totals == modules_.end()) return;
  totals->second.lines.add_to(unloaded_, module.instructions);
  modules_.erase(totals);
}

LineCoverage CountTotals::coverage(const std::map<std::uint32_t, LoadedModule>& modules) const {
  LineCoverage coverage = unloaded_;
  for (const auto& [handle, totals] : modules_) totals.lines.add_to(coverage, modules.at(handle).instructions);
  return coverage;
}

}  // namespace cudalabs::vgpu
