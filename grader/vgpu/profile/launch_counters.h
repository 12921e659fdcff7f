// What a launch was and what it did, in numbers.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Counts of one launch, summed over blocks; independent of schedule and worker count. Where only some of the blocks
/// were executed, the sums over those are scaled to the grid.
struct LaunchCounters {
  std::string kernel;  // demangled, without parameters
  LaunchConfig config;
  std::uint64_t executed_blocks = 0;  // of config.blocks()
  bool complete = true;               // those blocks ran to their end
  bool slow_blocks_stopped = false;   // or else: each ran to its end or to the limit of instructions
  std::uint32_t registers = 0;        // estimate, 32-bit registers a thread
  std::uint32_t shared_bytes = 0;     // a block, static and dynamic
  std::map<std::string, std::uint64_t>
      values;  // "warp_instructions", "global_load_sectors", "shared_bank_conflicts", ...
};

/// That the launches have executed together.
inline std::uint64_t warp_instructions(std::span<const LaunchCounters> launches) {
  std::uint64_t sum = 0;
  for (const LaunchCounters& launch : launches) {
    const auto found = launch.values.find("warp_instructions");
    if (found != launch.values.end()) sum += found->second;
  }
  return sum;
}

}  // namespace cudalabs::vgpu
