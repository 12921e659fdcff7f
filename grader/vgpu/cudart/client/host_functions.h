// Host functions that a stream calls when it has come to them: by a thread of the runtime's own, while the program goes
// on.
#pragma once

#include <cstdint>

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/graph_command.h"

namespace cudalabs::vgpu::client {

/// A host function in the queue of a stream: one of the two is set.
struct HostFunction {
  cudaHostFn_t function = nullptr;
  cudaStreamCallback_t callback = nullptr;
  void* user_data = nullptr;
};

/// Returns at once; the function is called some time after the work that `stream` has been given. Where no thread can
/// be had for it, it is called before this returns.
cudaError_t enqueue(std::uint16_t call, CallSite site, cudaStream_t stream, const HostFunction& function);

/// The same for a node of a graph, in its place. The caller does not hold the client.
cudaError_t enqueue(const Place& place, cudaStream_t stream, const HostFunction& function);

/// A function that belongs to no call: behind what `stream` was given, if there is one. While the client's lock is
/// held.
void call_later(cudaHostFn_t function, void* user_data, const cudaStream_t* stream);

/// Some function has not come to its end.
bool host_functions_pending();

}  // namespace cudalabs::vgpu::client
