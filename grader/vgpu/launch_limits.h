// Whether a device can execute a launch, and how many blocks of it at a time.
#pragma once

#include <cstdint>

#include "vgpu/exec/program.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

/// The most blocks of a cluster: on every device that has clusters, and where a kernel's launches may ask for more.
constexpr std::uint32_t kPortableClusterBlocks = 8, kMostClusterBlocks = 16;

/// With the cluster that the kernel asks for, where the launch has none of its own.
LaunchConfig with_required_cluster(const KernelInfo& kernel, LaunchConfig config);

/// The extents are within the device's and the kernel's limits. Who gives programs an error tells them which is not
/// (cudart/server/launch_check.h).
bool can_launch(const DeviceModel& model, const KernelInfo& kernel, const LaunchConfig& config);

/// The grid has so many warps that they cannot end within what one block may execute, were one instruction all that
/// each of them does. `instruction_limit` 0: there is no limit.
bool has_too_many_warps(const LaunchConfig& config, std::uint64_t instruction_limit);

/// Blocks of this launch that the whole device executes at a time, at least 1.
std::uint64_t resident_blocks(const DeviceModel& model, const KernelInfo& kernel, const LaunchConfig& config);

}  // namespace cudalabs::vgpu
