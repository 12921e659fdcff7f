// What the launches of a program would take on a named GPU, computed from what the virtual GPU counted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vgpu/model/device_model.h"
#include "vgpu/profile/launch_counters.h"

namespace cudalabs::vgpu {

/// What most of a time goes into: arithmetic in double precision, and conversions from and to it.
inline constexpr std::string_view kDoublePrecision = "double precision";

struct ModelledTime {
  double seconds = 0;
  std::string bound;                 // what most of it goes into: "memory", "issue", "shared memory", "latency", ...
  std::optional<std::string> doubt;  // why it cannot tell; `seconds` is then worthless
};

/// The time of the launches one after the other, overheads included. A pure function of its arguments. Meant for
/// ratios of two kernels that do the same work; absolute times are less sure.
ModelledTime modelled_time(const DeviceModel& device, std::span<const LaunchCounters> launches);

/// Whether double precision takes longer than anything else that even counters without detail tell: the instructions,
/// single precision, and the bytes of all accesses.
bool bound_by_double_precision(const DeviceModel& device, std::span<const LaunchCounters> launches);

/// Seconds of a copy within the device of so many bytes, each read once and written once.
double modelled_copy_seconds(const DeviceModel& device, double bytes);

}  // namespace cudalabs::vgpu
