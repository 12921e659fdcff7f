// Executes a launch whose blocks begin in another order than people think of them, so that what counts on an order
// shows.
//
// CUDA promises nothing of the order of blocks. What devices do is to begin blocks in about ascending order whenever
// there is room, and to let all that have begun go on. A block that waits for one with a smaller index, without having
// drawn its place from an atomic counter, relies on that: by no rule of CUDA's, but published code does so, and no
// device lets it hang. Therefore only those blocks change places that a device may hold at the same time: a block that
// waits for a smaller index finds it running or done.
#pragma once

#include "vgpu/exec/launcher.h"

namespace cudalabs::vgpu::exec {

/// As run_launch, but blocks that take turns begin in descending order within each `resident_blocks` of the grid; those
/// of a cooperative launch within the whole grid. Blocks that run at once, on several threads, begin as ever.
LaunchResult run_launch_backwards(const LaunchRequest& request, GlobalMemory& memory, WorkerPool& pool);

}  // namespace cudalabs::vgpu::exec
