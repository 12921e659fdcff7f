// A kernel's launch as the runtime client asks for it.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// How a kernel is to be launched.
struct LaunchOrder {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  ClusterSize cluster = {};
  bool captured = false;  // its stream captures, and it cannot be launched
};

/// The kernel's parameters as they lie in its buffer, which has room for wire::kMaxParameterBytes.
cudaError_t gather_parameters(const Function& function, void** arguments, std::byte* parameters);
/// `parameters`: as many bytes as the function takes.
cudaError_t launch_gathered(Client& self, const Function& function, const LaunchOrder& order,
                            const std::byte* parameters, bool status_dropped);

/// A launch of the call in hand, whether its stream captures or not.
cudaError_t launch_now(Client& self, const void* host_function, const LaunchOrder& order, void** arguments,
                       bool status_dropped = false);
/// Whether the device has room for such a grid and such blocks.
bool can_be_launched(const Client& self, dim3 grid, dim3 block);

/// What the attributes of a configuration ask for; `completed` is to be recorded after the launch.
cudaError_t read_attributes(const cudaLaunchAttribute* attributes, unsigned int count, LaunchOrder* order,
                            cudaEvent_t* completed);

}  // namespace cudalabs::vgpu::client
