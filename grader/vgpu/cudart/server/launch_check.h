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
  Help help;
  std::optional<Index3> grid = {};  // of the launch, where it is why
};

/// What the device refuses before a kernel starts. `max_dynamic_shared_bytes`: what the kernel may ask for at launch.
std::optional<Refusal> check_launch(const DeviceModel& model, const KernelDescription& kernel,
                                    const wire::Launch& launch, std::uint32_t max_dynamic_shared_bytes);

/// What it refuses beyond that when all blocks must run at the same time.
std::optional<Refusal> check_cooperative_launch(const DeviceModel& model, const KernelDescription& kernel,
                                                const wire::Launch& launch);

/// Whether the device has clusters of blocks.
bool has_clusters(const DeviceModel& model);

/// The cluster that the launch asks for, or else the kernel; all 0: neither does.
Index3 cluster_asked_for(const KernelDescription& kernel, const std::uint32_t (&cluster)[3]);

/// What it refuses of a launch in clusters, whose grid and blocks are in order. `most_blocks`: of a cluster of the
/// kernel.
std::optional<Refusal> check_cluster(const KernelDescription& kernel, const wire::Launch& launch,
                                     std::uint32_t most_blocks);

}  // namespace cudalabs::vgpu
