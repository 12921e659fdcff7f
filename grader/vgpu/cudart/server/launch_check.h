// Whether a launch can be issued at all, and if not, why, in words for the person who wrote it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vgpu/cudart/include/driver_types.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/model/device_model.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

struct Refusal {
  cudaError_t status = cudaErrorInvalidConfiguration;
  std::string message;  // of the finding, without the kernel's name: "a block of 32 x 64 = 2048 threads; ..."
  std::string help;
  std::optional<Index3> grid = {};  // of the launch, where it is why
};

/// What the device refuses before a kernel starts. `max_dynamic_shared_bytes`: what the kernel may ask for at launch.
std::optional<Refusal> check_launch(const DeviceModel& model, const KernelDescription& kernel,
                                    const wire::Launch& launch, std::uint32_t max_dynamic_shared_bytes);

/// What it refuses beyond that when all blocks must run at the same time.
std::optional<Refusal> check_cooperative_launch(const DeviceModel& model, const KernelDescription& kernel,
                                                const wire::Launch& launch);

}  // namespace cudalabs::vgpu
