// Host functions that a stream calls when it has come to them: by a thread of the runtime's own, while the program goes
// on.
#pragma once

#include <cstdint>

#include "vgpu/cudart/client/client.h"

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

/// Some function has not come to its end.
bool host_functions_pending();

/// Before the runtime does anything else for the program: lets the functions that are pending come to their ends, so
/// that what comes after them in their stream does so. cudaErrorNotPermitted in such a function, which must not call
/// the runtime.
cudaError_t settle_host_functions();

/// In a forked child, which has no thread to call them.
void forget_host_functions_of_parent();

/// The process ends: functions that have not been called by now never are.
void forget_host_functions();

}  // namespace cudalabs::vgpu::client
