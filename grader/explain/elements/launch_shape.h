// How the threads of a launch lie.
#pragma once

#include "vgpu/exec/observer.h"

namespace cudalabs {

/// Blocks and threads lie along x alone.
inline bool is_along_one_axis(const vgpu::LaunchConfig& config) {
  return config.grid[1] == 1 && config.grid[2] == 1 && config.block[1] == 1 && config.block[2] == 1;
}

}  // namespace cudalabs
