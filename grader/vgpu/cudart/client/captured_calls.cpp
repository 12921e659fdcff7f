// Nodes of what is captured.
#include "vgpu/cudart/client/captured_calls.h"

#include "vgpu/cudart/client/capture_rules.h"
#include "vgpu/cudart/client/graph_memory.h"

namespace cudalabs::vgpu::client {
namespace {

/// `fill_in(command, stream)` says what the node does; an error of it is the call's, and of a launch it ends the
/// capture, as on a GPU.
template <class FillIn>
Captured capture_as(Client& self, cudaStream_t stream, cudaGraphNodeType type, FillIn&& fill_in) {
  if (!is_capturing()) return {};
  CapturingStream* capturing = nullptr;
  if (const cudaError_t status = work_for(stream, &capturing); status != cudaSuccess) return {status, true};
  if (capturing == nullptr) return {};
  Command command;
  command.type = type;
  const cudaError_t status = fill_in(command, *capturing);
  if (status == cudaSuccess) return {capture(self, *capturing, command), true};
  clear(command);
  return {type == cudaGraphNodeTypeKernel ? invalidate(*capturing, status) : status, true};
}

}  // namespace

Captured capture_launch(Client& self, const void* function, const LaunchOrder& order, void** arguments) {
  return capture_as(self, order.stream, cudaGraphNodeTypeKernel, [&](Command& command, CapturingStream&) {
    if (!can_be_launched(self, order.grid, order.block)) {
      LaunchOrder refused = order;
      refused.captured = true;
      launch_now(self, function, refused, arguments);  // the server refuses it, and says why
      return cudaErrorInvalidValue;
    }
    KernelCommand& kernel = command.kernel;
    kernel.function = function;
    kernel.grid = order.grid;
    kernel.block = order.block;
    kernel.shared_bytes = order.shared_bytes;
    kernel.cooperative = order.cooperative;
    kernel.cluster = order.cluster;
    return take_arguments(self, arguments, &kernel);
  });
}

Captured capture_copy(Client& self, const cudaMemcpy3DParms& copy, Order order) {
  return capture_as(self, order.stream, cudaGraphNodeTypeMemcpy, [&](Command& command, CapturingStream&) {
    command.copy = copy;
    return check_copy(self, copy);
  });
}

Captured capture_fill(Client& self, const cudaMemsetParams& fill, Order order) {
  return capture_as(self, order.stream, cudaGraphNodeTypeMemset, [&](Command& command, CapturingStream&) {
    command.fill = fill;
    return check_fill(fill);
  });
}

Captured capture_allocation(Client& self, void** pointer, std::size_t bytes, cudaStream_t stream) {
  if (pointer == nullptr || bytes == 0 || !is_capturing()) return {};
  CapturingStream* capturing = nullptr;
  if (const cudaError_t status = work_for(stream, &capturing); status != cudaSuccess) return {status, true};
  if (capturing == nullptr) {
    const cudaError_t status = refuse_if_unsafe();
    return {status, status != cudaSuccess};
  }
  return capture_as(self, stream, cudaGraphNodeTypeMemAlloc, [&](Command& command, CapturingStream&) {
    command.allocation.poolProps.allocType = cudaMemAllocationTypePinned;
    command.allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
    command.allocation.bytesize = bytes;
    const cudaError_t status = reserve(self, bytes, &command.allocation.dptr);
    if (status == cudaSuccess) *pointer = command.allocation.dptr;
    return status;
  });
}

Captured capture_free(Client& self, void* pointer, cudaStream_t stream) {
  if (pointer == nullptr) return {};
  return capture_as(self, stream, cudaGraphNodeTypeMemFree, [&](Command& command, CapturingStream& capturing) {
    command.pointer = pointer;
    return check_free(*capturing.capture->graph, pointer);
  });
}

Captured capture_host_function(Client& self, cudaHostFn_t function, void* user_data, cudaStream_t stream) {
  return capture_as(self, stream, cudaGraphNodeTypeHost, [&](Command& command, CapturingStream&) {
    command.host = {function, user_data};
    return cudaSuccess;
  });
}

Captured refuse_capture(cudaStream_t stream) {
  if (!is_capturing()) return {};
  CapturingStream* capturing = nullptr;
  if (const cudaError_t status = work_for(stream, &capturing); status != cudaSuccess) return {status, true};
  if (capturing == nullptr) return {};
  return {invalidate(*capturing, cudaErrorStreamCaptureUnsupported), true};
}

}  // namespace cudalabs::vgpu::client
