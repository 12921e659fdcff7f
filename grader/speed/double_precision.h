// What to say where double precision makes a kernel slow.
#pragma once

#include <span>

#include "speed/speed_result.h"
#include "vgpu/model/device_model.h"
#include "vgpu/profile/launch_counters.h"

namespace cudalabs::speed {

/// "double precision runs at 1/32 of the rate of single precision on the NVIDIA T4: ...".
std::string double_precision_advice(const vgpu::DeviceModel& device);

/// Advises on a measured speed from what launches of the same submission counted, where the GPU is one that the model
/// knows.
void advise_on_measured(SpeedResult& result, std::span<const vgpu::LaunchCounters> launches);

}  // namespace cudalabs::speed
