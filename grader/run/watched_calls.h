// The runtime calls that a runner marks for the grader to look at, and the one that failed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {

/// The calls between the runner's cudaProfilerStart, the first one, and its cudaProfilerStop, the last; none without
/// both, or when the log was cut.
std::span<const vgpu::ApiCall> watched_calls(const vgpu::ServerReport& report);

/// The program read a clock after the last of these calls.
bool looked_at_clock_last(const vgpu::ServerReport& report);

/// The last call that returned an error of its own (those that only ask for errors have none); the log may be cut.
std::optional<vgpu::ApiCall> failed_call(const vgpu::ServerReport& report);

/// The first call that failed for a reason of its own: a wrong direction, a wrong size, too much memory. Not a launch,
/// not a free, which are findings by themselves, and not what fails because a kernel did; the log may be cut.
struct RefusedCall {
  vgpu::ApiCall call;
  bool before_launch = false;                                // some kernel was launched after it
  std::optional<std::uint64_t> freed_before = std::nullopt;  // where device memory was freed last before it
};
std::optional<RefusedCall> refused_call(const vgpu::ServerReport& report);

/// The first launch that was refused for want of resources, as the grader makes launches fail, and the first call after
/// it that asked for errors and was given one; the log may be cut.
struct RefusedLaunch {
  vgpu::ApiCall launch;
  std::optional<vgpu::ApiCall> asked;
};
std::optional<RefusedLaunch> refused_launch(const vgpu::ServerReport& report);

/// The first call that reset the device, if there was one.
std::optional<vgpu::ApiCall> device_reset(const vgpu::ServerReport& report);

}  // namespace cudalabs::runner
