// What to say where most of a GPU has nothing to do.
#pragma once

#include <span>
#include <string>

#include "vgpu/model/device_model.h"
#include "vgpu/profile/launch_counters.h"

namespace cudalabs::speed {

/// "the largest launch has 1 block, and the NVIDIA T4 has 40 multiprocessors: ...", or likewise of its warps, of which
/// a multiprocessor executes four at a time; empty where some launch has enough of both, and where there is none.
std::string idle_gpu_advice(const vgpu::DeviceModel& device, std::span<const vgpu::LaunchCounters> launches);

}  // namespace cudalabs::speed
