// Counts what a launch did: instructions by class, memory requests and sectors, bank conflicts, line coverage.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vgpu/exec/kernel_instructions.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"
#include "vgpu/profile/footprint.h"
#include "vgpu/profile/instruction_table.h"
#include "vgpu/profile/schedule_table.h"

namespace cudalabs::vgpu {

/// How well the accesses of one instruction use the memory system; sums over its warp executions.
struct AccessSite {
  SourcePlace where;
  AccessKind kind = AccessKind::load;
  MemorySpace space = MemorySpace::global;
  std::uint64_t requests = 0;  // warp executions
  std::uint64_t lanes = 0;     // active lanes over them
  std::uint64_t bytes = 0;     // asked for by the lanes, duplicates included
  std::uint64_t sectors = 0;   // global: 32-byte sectors touched; shared: wavefronts
  std::uint64_t ideal = 0;     // the least number of sectors (wavefronts) for as many distinct bytes
  bool operator==(const AccessSite&) const = default;
};

/// What counting in detail, for the model of time, needs to know beforehand.
struct DetailSources {
  const ScheduleTable* schedule = nullptr;  // of the program; must outlive the collector
  std::vector<AddressRange> ranges;         // allocations, ascending
};

/// One launch of a kernel of the program that `table` was made of; the table must outlive it. All results are sums over
/// blocks and do not depend on schedule or worker count.
class CounterCollector : public Observer {
 public:
  /// `accesses`: whether those are counted, too.
  CounterCollector(const InstructionTable& table, KernelInstructions kernel, bool accesses = true);
  /// In detail.
  CounterCollector(const InstructionTable& table, KernelInstructions kernel, DetailSources detail);
  ~CounterCollector() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// After launch_end. The names are those of counter_names.h; kinds of instructions that were not executed are left
  /// out, and so is what was not counted. Of a launch of which only a sample of the blocks was executed: scaled to the
  /// whole grid, rounded to nearest.
  std::map<std::string, std::uint64_t> counters() const;
  std::vector<AccessSite> access_sites() const;
  /// How many blocks were to be executed: all, or a sample.
  std::uint64_t executed_blocks() const;
  const KernelInstructions& kernel() const;
  /// How many threads executed each of the kernel's instructions, by its number.
  std::span<const std::uint64_t> lanes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
