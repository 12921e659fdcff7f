#include "speed/idle_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace cudalabs::speed {
namespace {

/// Of every GPU since compute capability 7.0; each issues an instruction of one warp at a time.
/// Source: CUDA C++ Programming Guide, "Compute Capabilities".
constexpr std::uint64_t kSchedulers = 4;

constexpr std::uint64_t kWarpSize = 32;

}  // namespace

std::string idle_gpu_advice(const vgpu::DeviceModel& device, std::span<const vgpu::LaunchCounters> launches) {
  std::uint64_t most_blocks = 0, most_warps = 0;
  for (const vgpu::LaunchCounters& launch : launches) {
    const std::uint64_t blocks = launch.config.blocks();
    most_blocks = std::max(most_blocks, blocks);
    most_warps = std::max(most_warps, blocks * ((launch.config.threads_per_block() + kWarpSize - 1) / kWarpSize));
  }
  if (most_blocks == 0) return {};
  if (most_blocks < device.multiprocessors) {
    return fmt::format(
        "the largest launch has {} {}, and the {} has {} multiprocessors: a block runs on one of them, and the others "
        "have nothing to do; launch more blocks",
        most_blocks, most_blocks == 1 ? "block" : "blocks", device.name, device.multiprocessors);
  }
  if (most_warps >= kSchedulers * device.multiprocessors) return {};
  return fmt::format(
      "the largest launch has {} warps of 32 threads, and the {} multiprocessors of the {} execute {} at a time: parts "
      "of the GPU have nothing to do; launch more threads",
      most_warps, device.multiprocessors, device.name, kSchedulers * device.multiprocessors);
}

}  // namespace cudalabs::speed
