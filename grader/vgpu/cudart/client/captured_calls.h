// Calls that give work to a stream, where it captures: each becomes a node. Those that are `done` need nothing else.
#pragma once

#include "vgpu/cudart/client/capture.h"
#include "vgpu/cudart/client/copy.h"
#include "vgpu/cudart/client/launch.h"

namespace cudalabs::vgpu::client {

Captured capture_launch(Client& self, const void* function, const LaunchOrder& order, void** arguments);
Captured capture_copy(Client& self, const cudaMemcpy3DParms& copy, Order order);
Captured capture_fill(Client& self, const cudaMemsetParams& fill, Order order);
Captured capture_allocation(Client& self, void** pointer, std::size_t bytes, cudaStream_t stream);
Captured capture_free(Client& self, void* pointer, cudaStream_t stream);
Captured capture_host_function(Client& self, cudaHostFn_t function, void* user_data, cudaStream_t stream);
/// A call that cannot be captured.
Captured refuse_capture(cudaStream_t stream);

}  // namespace cudalabs::vgpu::client
