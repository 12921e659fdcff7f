// Whether a device can execute a launch, and how many blocks of it at a time.
#include "vgpu/launch_limits.h"

#include <algorithm>
#include <cstddef>

namespace cudalabs::vgpu {

namespace {

constexpr std::uint32_t kFirstMajorWithClusters = 9;

/// `config` has extents that are not 0.
bool has_possible_cluster(const DeviceModel& model, const KernelInfo& kernel, const LaunchConfig& config) {
  std::uint64_t blocks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (config.cluster[axis] == 0 || config.grid[axis] % config.cluster[axis] != 0) return false;
    blocks *= config.cluster[axis];
  }
  if (kernel.explicit_cluster && !config.explicit_cluster) return false;
  if (kernel.required_cluster && config.cluster != *kernel.required_cluster) return false;
  if (config.explicit_cluster && model.compute_major < kFirstMajorWithClusters) return false;
  return blocks <= std::min(kMostClusterBlocks, kernel.most_cluster_blocks.value_or(kMostClusterBlocks));
}

}  // namespace

LaunchConfig with_required_cluster(const KernelInfo& kernel, LaunchConfig config) {
  if (config.explicit_cluster || !kernel.required_cluster) return config;
  config.cluster = *kernel.required_cluster;
  config.explicit_cluster = true;
  return config;
}

bool can_launch(const DeviceModel& model, const KernelInfo& kernel, const LaunchConfig& config) {
  std::uint64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint64_t blocks = config.grid[axis], size = config.block[axis];
    if (blocks == 0 || size == 0 || blocks > model.max_grid_dim[axis] || size > model.max_block_dim[axis]) return false;
    threads *= size;
  }
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + config.dynamic_shared_bytes;
  return threads <= std::min(model.max_threads_per_block, kernel.max_threads) &&
         shared <= model.shared_bytes_per_block_optin &&
         has_possible_cluster(model, kernel, with_required_cluster(kernel, config));
}

bool has_too_many_warps(const LaunchConfig& config, std::uint64_t instruction_limit) {
  const std::uint64_t warps = (config.threads_per_block() + kWarpSize - 1) / kWarpSize;
  return instruction_limit != 0 && config.blocks() > instruction_limit / std::max<std::uint64_t>(warps, 1);
}

std::uint64_t resident_blocks(const DeviceModel& model, const KernelInfo& kernel, const LaunchConfig& config) {
  const std::uint64_t threads = (config.threads_per_block() + kWarpSize - 1) / kWarpSize * kWarpSize;
  std::uint64_t blocks = std::min<std::uint64_t>(
      model.max_blocks_per_multiprocessor, model.max_threads_per_multiprocessor / std::max<std::uint64_t>(threads, 1));
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + config.dynamic_shared_bytes;
  if (shared != 0) blocks = std::min(blocks, model.shared_bytes_per_multiprocessor / shared);
  return std::max<std::uint64_t>(blocks, 1) * model.multiprocessors;
}

}  // namespace cudalabs::vgpu
