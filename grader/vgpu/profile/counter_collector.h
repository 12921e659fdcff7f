// Counts what a launch did: instructions by class, memory requests and sectors, bank conflicts, line coverage.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// What an instruction is to the counters.
enum class InstructionClass : std::uint8_t {
  integer,
  fp16,
  fp32,
  fp64,
  fma32,
  fma64,
  special,
  conversion,
  move,
  predicate,
  branch,
  call,
  load,
  store,
  atomic,
  barrier,
  warp_sync,
  fence,
  other
};

/// Per instruction of the program, by its index; made once per module.
struct InstructionTable {
  struct Entry {
    InstructionClass kind = InstructionClass::other;
    SourcePlace place;
  };
  std::vector<Entry> entries;
};

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

/// One launch. All results are sums over blocks and do not depend on schedule or worker count.
class CounterCollector : public Observer {
 public:
  explicit CounterCollector(const InstructionTable& table);
  ~CounterCollector() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// After launch_end. Names are listed in counter_collector.cpp and in the documentation.
  std::map<std::string, std::uint64_t> counters() const;
  /// Source file -> line -> times a thread executed it (the most-executed instruction of the line counts).
  std::map<std::string, std::map<std::uint32_t, std::uint64_t>> coverage() const;
  std::vector<AccessSite> access_sites() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
