// What to say where most of a GPU has nothing to do.
#pragma once

#include <span>
#include <string>

#include "vgpu/model/device_model.h"
#include "vgpu/profile/launch_counters.h"

namespace cudalabs::speed {

/// "the largest launch has 1 block, and the NVIDIA T4 has 40 multiprocessors: ..."; empty where some launch has at
/// least as many blocks as the GPU has multiprocessors, and where there is none.
std::string few_blocks_advice(const vgpu::DeviceModel& device, std::span<const vgpu::LaunchCounters> launches);

}  // namespace cudalabs::speed
