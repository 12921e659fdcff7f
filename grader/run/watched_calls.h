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
/// not a free, which are findings by themselves, and not what fails because a kernel did, or with the error
/// `made_to_fail`, where it is not 0; the log may be cut.
struct RefusedCall {
  vgpu::ApiCall call;
  bool before_launch = false;                                // some kernel was launched after it
  std::optional<std::uint64_t> freed_before = std::nullopt;  // where device memory was freed last before it
};
std::optional<RefusedCall> refused_call(const vgpu::ServerReport& report, int made_to_fail = 0);

/// A call that the grader makes fail, and the first one that gave the program its error: the call itself, or, of a
/// launch, the first after it that asked for errors and was given one.
struct CallMadeToFail {
  vgpu::ApiCall call;
  std::optional<vgpu::ApiCall> asked;
};

/// A call failed as the grader makes calls fail. Also where the log was cut, for nobody knows then.
bool met_faults(const vgpu::ServerReport& report);

/// The first launch that failed as the grader makes launches fail; the log may be cut.
std::optional<CallMadeToFail> launch_made_to_fail(const vgpu::ServerReport& report);

/// The first copy that failed as the grader makes copies fail; likewise.
std::optional<CallMadeToFail> copy_made_to_fail(const vgpu::ServerReport& report);

/// The first call that reset the device, if there was one.
std::optional<vgpu::ApiCall> device_reset(const vgpu::ServerReport& report);

}  // namespace cudalabs::runner
