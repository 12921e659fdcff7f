// What a launch was and what it did, in numbers.
#pragma once

#include <cstdint>
#include <map>
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
  std::uint32_t registers = 0;        // estimate, 32-bit registers a thread
  std::uint32_t shared_bytes = 0;     // a block, static and dynamic
  std::map<std::string, std::uint64_t>
      values;  // "warp_instructions", "global_load_sectors", "shared_bank_conflicts", ...
};

}  // namespace cudalabs::vgpu
