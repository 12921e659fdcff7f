// Whether a launch can be issued at all.
#include "vgpu/cudart/server/launch_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vgpu/launch_limits.h"
#include "vgpu/model/occupancy.h"

namespace cudalabs::vgpu {
namespace {

/// Of one thread: CUDA's limit.
constexpr std::uint64_t kMostLocalBytes = 512u << 10;

constexpr char kAxes[] = {'x', 'y', 'z'};

std::string extent(const std::uint32_t (&size)[3]) {
  return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
}

Index3 index_of(const std::uint32_t (&size)[3]) {
  return {size[0], size[1], size[2]};
}

/// The grid, of one axis, has as many blocks as a block may well have threads.
bool looks_exchanged(const DeviceModel& model, const wire::Launch& launch) {
  constexpr std::uint32_t kWarp = 32;
  const std::uint32_t blocks = launch.grid[0];
  const auto has_one_axis = [](const std::uint32_t(&size)[3]) { return size[1] == 1 && size[2] == 1; };
  return has_one_axis(launch.grid) && has_one_axis(launch.block) && blocks <= model.max_threads_per_block &&
         blocks % kWarp == 0;
}

std::optional<Refusal> check_extents(const DeviceModel& model, const wire::Launch& launch) {
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.grid[axis] == 0) {
      return Refusal{cudaErrorInvalidConfiguration, fmt::format("a grid of {} blocks is empty", extent(launch.grid)),
                     Advice::check_grid_division, index_of(launch.grid)};
    }
    if (launch.block[axis] == 0) {
      return Refusal{cudaErrorInvalidConfiguration, fmt::format("a block of {} threads is empty", extent(launch.block)),
                     "every dimension of the block must be at least 1"};
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.grid[axis] > model.max_grid_dim[axis]) {
      return Refusal{cudaErrorInvalidConfiguration,
                     fmt::format("a grid of {} blocks; at most {} in {}", extent(launch.grid), model.max_grid_dim[axis],
                                 kAxes[axis]),
                     "use larger blocks, another axis, or a grid-stride loop", index_of(launch.grid)};
    }
  }
  std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1];
  const bool huge = __builtin_mul_overflow(threads, std::uint64_t{launch.block[2]}, &threads);
  if (huge || threads > model.max_threads_per_block) {
    return Refusal{cudaErrorInvalidConfiguration,
                   fmt::format("a block of {}{} threads; at most {} over all dimensions together", extent(launch.block),
                               huge ? "" : fmt::format(" = {}", threads), model.max_threads_per_block),
                   looks_exchanged(model, launch)
                       ? "`<<<blocks, threads of a block>>>`: are the two exchanged? Keep the block small and let the "
                         "grid grow with the data"
                       : "keep the block small and let the grid grow with the data"};
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.block[axis] > model.max_block_dim[axis]) {
      return Refusal{cudaErrorInvalidConfiguration,
                     fmt::format("a block of {} threads; at most {} in {}", extent(launch.block),
                                 model.max_block_dim[axis], kAxes[axis]),
                     "spread the threads over another axis"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_launch(const DeviceModel& model, const KernelDescription& kernel,
                                    const wire::Launch& launch, std::uint32_t max_dynamic_shared_bytes) {
  if (auto refusal = check_extents(model, launch)) return refusal;
  const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  if (threads > kernel.max_threads) {
    return Refusal{
        cudaErrorLaunchOutOfResources,
        fmt::format("a block of {} threads; the kernel's `__launch_bounds__` allow {}", threads, kernel.max_threads),
        "launch smaller blocks or raise the bound"};
  }
  // Registers refuse no launch: how many a kernel needs is known once it is compiled for a real device, and the PTX of
  // an unoptimised build has many times as many.
  if (launch.shared_bytes > max_dynamic_shared_bytes) {
    return Refusal{
        cudaErrorInvalidValue,
        fmt::format("{} bytes of dynamic shared memory beside {} static; at most {}", launch.shared_bytes,
                    kernel.static_shared_bytes, max_dynamic_shared_bytes),
        fmt::format("use smaller `__shared__` arrays; up to {} bytes in all after `cudaFuncSetAttribute` with "
                    "`cudaFuncAttributeMaxDynamicSharedMemorySize`",
                    model.shared_bytes_per_block_optin)};
  }
  if (kernel.local_bytes > kMostLocalBytes) {
    return Refusal{
        cudaErrorLaunchOutOfResources,
        fmt::format("{} bytes of local memory for each thread; at most {}", kernel.local_bytes, kMostLocalBytes),
        "use smaller arrays in the kernel, or an array in global memory"};
  }
  // The driver reserves local memory for as many threads as the device holds at a time, however few are launched.
  const std::uint64_t resident = std::uint64_t{model.max_threads_per_multiprocessor} * model.multiprocessors;
  const std::uint64_t store = model.local_store_bytes != 0 ? model.local_store_bytes : model.global_bytes;
  if (kernel.local_bytes * resident > store) {
    return Refusal{cudaErrorMemoryAllocation,
                   fmt::format("{} bytes of local memory for each of the {} threads that the device holds at a time do "
                               "not fit into its {} MiB",
                               kernel.local_bytes, resident, store >> 20),
                   "use smaller arrays in the kernel, or an array in global memory"};
  }
  if (kernel.static_shared_bytes > model.shared_bytes_per_block) {
    return Refusal{cudaErrorLaunchOutOfResources,
                   fmt::format("{} bytes of static shared memory; at most {}", kernel.static_shared_bytes,
                               model.shared_bytes_per_block),
                   "use smaller `__shared__` arrays"};
  }
  return std::nullopt;
}

bool has_clusters(const DeviceModel& model) {
  constexpr std::uint32_t kFirstMajor = 9;
  return model.compute_major >= kFirstMajor;
}

Index3 cluster_asked_for(const KernelDescription& kernel, const std::uint32_t (&cluster)[3]) {
  const Index3 asked = index_of(cluster);
  return asked == Index3{} && kernel.required_cluster ? *kernel.required_cluster : asked;
}

std::optional<Refusal> check_cluster(const KernelDescription& kernel, const wire::Launch& launch,
                                     std::uint32_t most_blocks) {
  const auto refused = [](std::string message, std::string help) {
    return Refusal{cudaErrorInvalidClusterSize, std::move(message), std::move(help)};
  };
  const Index3 cluster = cluster_asked_for(kernel, launch.cluster);
  if (cluster == Index3{}) {
    if (!kernel.explicit_cluster) return std::nullopt;
    return refused("the kernel is to be launched in clusters, and the launch does not say how large they are",
                   "launch it by `cudaLaunchKernelEx`, with `cudaLaunchAttributeClusterDimension`");
  }
  const std::uint32_t size[3] = {cluster[0], cluster[1], cluster[2]};
  if (kernel.required_cluster && cluster != *kernel.required_cluster) {
    const Index3& wanted = *kernel.required_cluster;
    return refused(fmt::format("clusters of {} blocks; the kernel's `__cluster_dims__` are {} x {} x {}", extent(size),
                               wanted[0], wanted[1], wanted[2]),
                   "launch the kernel in clusters of that size, or leave the launch attribute out");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] == 0 || launch.grid[axis] % size[axis] != 0) {
      return refused(
          fmt::format("a grid of {} blocks cannot be divided into clusters of {}", extent(launch.grid), extent(size)),
          "let each dimension of the grid be a multiple of the cluster's: round the number of blocks up, and "
          "let blocks without elements do no work");
    }
  }
  // No factor is larger than the grid's extent is, and those are within the device's limits.
  const std::uint64_t blocks = std::uint64_t{size[0]} * size[1] * size[2];
  if (blocks > std::min(most_blocks, kernel.most_cluster_blocks.value_or(most_blocks))) {
    return refused(fmt::format("clusters of {} = {} blocks; at most {}", extent(size), blocks,
                               std::min(most_blocks, kernel.most_cluster_blocks.value_or(most_blocks))),
                   fmt::format("use smaller clusters; up to {} blocks after `cudaFuncSetAttribute` with "
                               "`cudaFuncAttributeNonPortableClusterSizeAllowed`",
                               kMostClusterBlocks));
  }
  return std::nullopt;
}

std::optional<Refusal> check_cooperative_launch(const DeviceModel& model, const KernelDescription& kernel,
                                                const wire::Launch& launch) {
  const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  // Registers refuse no launch, this one neither.
  const std::uint64_t most =
      std::uint64_t{model.multiprocessors} *
      resident_blocks(model, {threads, 0, std::uint64_t{kernel.static_shared_bytes} + launch.shared_bytes});
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  if (blocks <= most) return std::nullopt;
  return Refusal{
      cudaErrorCooperativeLaunchTooLarge,
      fmt::format("a cooperative grid of {} = {} blocks; at most {} of this size run on the device at a time",
                  extent(launch.grid), blocks, most),
      "all blocks of a cooperative launch must run at the same time: launch no more than "
      "`cudaOccupancyMaxActiveBlocksPerMultiprocessor` says, times the number of multiprocessors, and let "
      "each block do more in a loop",
      index_of(launch.grid)};
}

}  // namespace cudalabs::vgpu
