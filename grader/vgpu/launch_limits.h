// What a device refuses to launch, and how many blocks it holds at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "vgpu/exec/program.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

/// Why a launch is refused, in the words of a finding.
struct RefusedLaunch {
  LaunchStatus status = LaunchStatus::invalid_configuration;
  std::string message, note, help;
};

/// `parameter_bytes`: size of the parameter buffer given. Nullopt: the device takes the launch.
std::optional<RefusedLaunch> refuse_launch(const DeviceModel& model, const KernelInfo& kernel,
                                           const LaunchConfig& config, std::size_t parameter_bytes);

/// Blocks of this launch that the whole device executes at a time, at least 1.
std::uint64_t resident_blocks(const DeviceModel& model, const KernelInfo& kernel, const LaunchConfig& config);

}  // namespace cudalabs::vgpu
