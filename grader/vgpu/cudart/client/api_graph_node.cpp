// The runtime API: nodes of graphs, what they do, asked for and changed.
#include "vgpu/cudart/client/graph_of_call.h"
#include "vgpu/cudart/client/node_parameters.h"

namespace cudalabs::vgpu::client {
CUDALABS_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
  return with_node(wire::call("cudaGraphKernelNodeGetParams"), call_site(), handle, cudaGraphNodeTypeKernel,
                   [&](Client&, Node& node) {
                     if (parameters == nullptr) return cudaErrorInvalidValue;
                     const KernelCommand& kernel = node.command.kernel;
                     *parameters = {const_cast<void*>(kernel.function),
                                    kernel.grid,
                                    kernel.block,
                                    static_cast<unsigned int>(kernel.shared_bytes),
                                    kernel.arguments(),
                                    nullptr};
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle, const cudaKernelNodeParams* parameters) {
  return with_node(wire::call("cudaGraphKernelNodeSetParams"), call_site(), handle, cudaGraphNodeTypeKernel,
                   [&](Client& self, Node& node) { return set_kernel(self, node.command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms* parameters) {
  return with_node(wire::call("cudaGraphMemcpyNodeGetParams"), call_site(), handle, cudaGraphNodeTypeMemcpy,
                   [&](Client&, Node& node) {
                     if (parameters == nullptr) return cudaErrorInvalidValue;
                     *parameters = node.command.copy;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle, const cudaMemcpy3DParms* parameters) {
  return with_node(wire::call("cudaGraphMemcpyNodeSetParams"), call_site(), handle, cudaGraphNodeTypeMemcpy,
                   [&](Client& self, Node& node) { return set_copy(self, node.command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void* to, const void* from,
                                                        size_t bytes, cudaMemcpyKind kind) {
  return with_node(wire::call("cudaGraphMemcpyNodeSetParams1D"), call_site(), handle, cudaGraphNodeTypeMemcpy,
                   [&](Client& self, Node& node) {
                     const cudaMemcpy3DParms copy = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
                     return set_copy(self, node.command, &copy);
                   });
}

CUDALABS_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t handle, const void* symbol,
                                                              const void* from, size_t bytes, size_t offset,
                                                              cudaMemcpyKind kind) {
  return with_node(wire::call("cudaGraphMemcpyNodeSetParamsToSymbol"), call_site(), handle, cudaGraphNodeTypeMemcpy,
                   [&](Client& self, Node& node) {
                     cudaMemcpy3DParms copy;
                     const cudaError_t status = copy_to_symbol_of(self, symbol, from, bytes, offset, kind, &copy);
                     return status == cudaSuccess ? set_copy(self, node.command, &copy) : status;
                   });
}

CUDALABS_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t handle, void* to, const void* symbol,
                                                                size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return with_node(wire::call("cudaGraphMemcpyNodeSetParamsFromSymbol"), call_site(), handle, cudaGraphNodeTypeMemcpy,
                   [&](Client& self, Node& node) {
                     cudaMemcpy3DParms copy;
                     const cudaError_t status = copy_from_symbol_of(self, to, symbol, bytes, offset, kind, &copy);
                     return status == cudaSuccess ? set_copy(self, node.command, &copy) : status;
                   });
}

CUDALABS_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams* parameters) {
  return with_node(wire::call("cudaGraphMemsetNodeGetParams"), call_site(), handle, cudaGraphNodeTypeMemset,
                   [&](Client&, Node& node) {
                     if (parameters == nullptr) return cudaErrorInvalidValue;
                     *parameters = node.command.fill;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle, const cudaMemsetParams* parameters) {
  return with_node(wire::call("cudaGraphMemsetNodeSetParams"), call_site(), handle, cudaGraphNodeTypeMemset,
                   [&](Client&, Node& node) { return set_fill(node.command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams* parameters) {
  return with_node(wire::call("cudaGraphHostNodeGetParams"), call_site(), handle, cudaGraphNodeTypeHost,
                   [&](Client&, Node& node) {
                     if (parameters == nullptr) return cudaErrorInvalidValue;
                     *parameters = node.command.host;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle, const cudaHostNodeParams* parameters) {
  return with_node(wire::call("cudaGraphHostNodeSetParams"), call_site(), handle, cudaGraphNodeTypeHost,
                   [&](Client&, Node& node) { return set_host(node.command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* child) {
  return with_node(wire::call("cudaGraphChildGraphNodeGetGraph"), call_site(), handle, cudaGraphNodeTypeGraph,
                   [&](Client&, Node& node) {
                     if (child == nullptr) return cudaErrorInvalidValue;
                     *child = handle_of(node.command.child);
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
  return with_node(wire::call("cudaGraphEventRecordNodeGetEvent"), call_site(), handle, cudaGraphNodeTypeEventRecord,
                   [&](Client&, Node& node) {
                     if (event == nullptr) return cudaErrorInvalidValue;
                     *event = node.command.event;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return with_node(wire::call("cudaGraphEventRecordNodeSetEvent"), call_site(), handle, cudaGraphNodeTypeEventRecord,
                   [&](Client&, Node& node) { return set_event(node.command, event); });
}

CUDALABS_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
  return with_node(wire::call("cudaGraphEventWaitNodeGetEvent"), call_site(), handle, cudaGraphNodeTypeWaitEvent,
                   [&](Client&, Node& node) {
                     if (event == nullptr) return cudaErrorInvalidValue;
                     *event = node.command.event;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return with_node(wire::call("cudaGraphEventWaitNodeSetEvent"), call_site(), handle, cudaGraphNodeTypeWaitEvent,
                   [&](Client&, Node& node) { return set_event(node.command, event); });
}

CUDALABS_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle, cudaMemAllocNodeParams* parameters) {
  return with_node(wire::call("cudaGraphMemAllocNodeGetParams"), call_site(), handle, cudaGraphNodeTypeMemAlloc,
                   [&](Client&, Node& node) {
                     if (parameters == nullptr) return cudaErrorInvalidValue;
                     *parameters = node.command.allocation;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* pointer) {
  return with_node(wire::call("cudaGraphMemFreeNodeGetParams"), call_site(), handle, cudaGraphNodeTypeMemFree,
                   [&](Client&, Node& node) {
                     if (pointer == nullptr) return cudaErrorInvalidValue;
                     *static_cast<void**>(pointer) = node.command.pointer;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t handle, cudaGraphNodeParams* parameters) {
  return with_node(wire::call("cudaGraphNodeSetParams"), call_site(), handle, [&](Client& self, Node& node) {
    if (parameters == nullptr || parameters->type != node.command.type) return cudaErrorInvalidValue;
    return set_any(self, nullptr, node.command, parameters);
  });
}

}  // namespace cudalabs::vgpu::client
