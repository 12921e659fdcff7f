#include "speed/double_precision.h"

#include <fmt/format.h>

#include <algorithm>

#include "vgpu/model/modelled_time.h"

namespace cudalabs::speed {

std::string double_precision_advice(const vgpu::DeviceModel& device) {
  return fmt::format(
      "double precision runs at 1/{:.0f} of the rate of single precision on the {}: keep values and sums in `float`, "
      "and write constants with an f, as in `0.5f`",
      device.float32_lanes / device.float64_lanes, device.name);
}

void advise_on_measured(SpeedResult& result, std::span<const vgpu::LaunchCounters> launches) {
  const std::vector<std::string> known = vgpu::device_model_names();
  const bool has_model = std::ranges::find(known, result.device_class) != known.end();
  if (result.kind != SpeedResult::Kind::measured || !has_model) return;
  const vgpu::DeviceModel device = vgpu::device_model(result.device_class);
  if (vgpu::bound_by_double_precision(device, launches)) result.advice = double_precision_advice(device);
}

}  // namespace cudalabs::speed
