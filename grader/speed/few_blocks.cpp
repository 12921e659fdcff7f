#include "speed/few_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace cudalabs::speed {

std::string few_blocks_advice(const vgpu::DeviceModel& device, std::span<const vgpu::LaunchCounters> launches) {
  std::uint64_t most = 0;
  for (const vgpu::LaunchCounters& launch : launches) most = std::max(most, launch.config.blocks());
  if (most == 0 || most >= device.multiprocessors) return {};
  return fmt::format(
      "the largest launch has {} {}, and the {} has {} multiprocessors: a block runs on one of them, and the others "
      "have nothing to do; launch more blocks",
      most, most == 1 ? "block" : "blocks", device.name, device.multiprocessors);
}

}  // namespace cudalabs::speed
