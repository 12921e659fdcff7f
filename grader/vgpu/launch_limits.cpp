// What a device refuses to launch, and how many blocks it holds at a time.
#include "vgpu/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace cudalabs::vgpu {

namespace {

constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};

std::string extent(Index3 size) {
  return fmt::format("{}×{}×{}", size[0], size[1], size[2]);
}

std::string configuration(const LaunchConfig& config) {
  return fmt::format("grid {}, block {}, {} bytes of dynamic shared memory", extent(config.grid), extent(config.block),
                     config.dynamic_shared_bytes);
}

}  // namespace

std::optional<RefusedLaunch> refuse_launch(const DeviceModel& model, const KernelInfo& kernel,
                                           const LaunchConfig& config, std::size_t parameter_bytes) {
  RefusedLaunch refused;
  refused.note = configuration(config);
  const auto refuse = [&](LaunchStatus status, std::string message, std::string help) {
    refused.status = status;
    refused.message = std::move(message);
    refused.help = std::move(help);
    return refused;
  };
  using enum LaunchStatus;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (config.grid[axis] == 0 || config.block[axis] == 0) {
      return refuse(invalid_configuration,
                    fmt::format("`{}` was launched with a {} of size 0 in {}", kernel.display,
                                config.grid[axis] == 0 ? "grid" : "block", kAxes[axis]),
                    "every dimension must be at least 1: look at how the number of blocks was computed");
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (config.grid[axis] > model.max_grid_dim[axis]) {
      return refuse(invalid_configuration,
                    fmt::format("`{}` was launched with {} blocks in {}, but the device takes at most {}",
                                kernel.display, config.grid[axis], kAxes[axis], model.max_grid_dim[axis]),
                    "give each thread more work, or use another dimension of the grid");
    }
    if (config.block[axis] > model.max_block_dim[axis]) {
      return refuse(invalid_configuration,
                    fmt::format("`{}` was launched with blocks of {} threads in {}, but the device takes at most {}",
                                kernel.display, config.block[axis], kAxes[axis], model.max_block_dim[axis]),
                    "use smaller blocks and more of them");
    }
  }
  const std::uint64_t threads = std::uint64_t{config.block[0]} * config.block[1] * config.block[2];
  if (threads > model.max_threads_per_block) {
    return refuse(invalid_configuration,
                  fmt::format("`{}` was launched with {} threads a block, but the device takes at most {}",
                              kernel.display, threads, model.max_threads_per_block),
                  "the product of the three block dimensions counts: use smaller blocks and more of them");
  }
  if (threads > kernel.max_threads) {
    return refuse(out_of_resources,
                  fmt::format("`{}` was launched with {} threads a block, but its `__launch_bounds__` allow at most {}",
                              kernel.display, threads, kernel.max_threads),
                  "launch smaller blocks, or raise the bound");
  }
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + config.dynamic_shared_bytes;
  if (shared > model.shared_bytes_per_block_optin) {
    return refuse(out_of_resources,
                  fmt::format("`{}` needs {} bytes of shared memory a block, but the device has at most {}",
                              kernel.display, shared, model.shared_bytes_per_block_optin),
                  "use a smaller tile, or keep less in shared memory at a time");
  }
  if (parameter_bytes < kernel.parameter_bytes) {
    return refuse(invalid_configuration,
                  fmt::format("`{}` was launched with {} bytes of parameters, but takes {}", kernel.display,
                              parameter_bytes, kernel.parameter_bytes),
                  "pass every parameter of the kernel");
  }
  return std::nullopt;
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
