// The runtime API: nodes of graphs, changed in executable graphs.
#include "vgpu/cudart/client/graph_of_call.h"
#include "vgpu/cudart/client/node_parameters.h"
#include "vgpu/cudart/client/user_objects.h"

namespace cudalabs::vgpu::client {
namespace {

bool may_be_left_out(const Node& node) {
  return node.command.type == cudaGraphNodeTypeKernel || node.command.type == cudaGraphNodeTypeMemcpy ||
         node.command.type == cudaGraphNodeTypeMemset;
}

/// The child graph keeps the same objects of the program alive as the one that its nodes are like from now on.
cudaError_t set_child_of(cudaGraphExec_t executable, Node& node, const Graph& child) {
  const cudaError_t status = set_child(node.command, child);
  if (status != cudaSuccess) return status;
  return replace_references(*node.command.child, child, last_stream_of(*executable_of(executable)));
}

}  // namespace

CUDALABS_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                          const cudaKernelNodeParams* parameters) {
  return with_copy(wire::call("cudaGraphExecKernelNodeSetParams"), call_site(), executable, handle,
                   [&](Client& self, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
                     return set_kernel(self, node.command, parameters);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                          const cudaMemcpy3DParms* parameters) {
  return with_copy(wire::call("cudaGraphExecMemcpyNodeSetParams"), call_site(), executable, handle,
                   [&](Client& self, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeMemcpy) return cudaErrorInvalidValue;
                     return set_copy(self, node.command, parameters);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                            void* to, const void* from, size_t bytes,
                                                            cudaMemcpyKind kind) {
  return with_copy(wire::call("cudaGraphExecMemcpyNodeSetParams1D"), call_site(), executable, handle,
                   [&](Client& self, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeMemcpy) return cudaErrorInvalidValue;
                     const cudaMemcpy3DParms copy = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
                     return set_copy(self, node.command, &copy);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                                  const void* symbol, const void* from, size_t bytes,
                                                                  size_t offset, cudaMemcpyKind kind) {
  return with_copy(wire::call("cudaGraphExecMemcpyNodeSetParamsToSymbol"), call_site(), executable, handle,
                   [&](Client& self, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeMemcpy) return cudaErrorInvalidValue;
                     cudaMemcpy3DParms copy;
                     const cudaError_t status = copy_to_symbol_of(self, symbol, from, bytes, offset, kind, &copy);
                     return status == cudaSuccess ? set_copy(self, node.command, &copy) : status;
                   });
}

CUDALABS_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                                    void* to, const void* symbol, size_t bytes,
                                                                    size_t offset, cudaMemcpyKind kind) {
  return with_copy(wire::call("cudaGraphExecMemcpyNodeSetParamsFromSymbol"), call_site(), executable, handle,
                   [&](Client& self, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeMemcpy) return cudaErrorInvalidValue;
                     cudaMemcpy3DParms copy;
                     const cudaError_t status = copy_from_symbol_of(self, to, symbol, bytes, offset, kind, &copy);
                     return status == cudaSuccess ? set_copy(self, node.command, &copy) : status;
                   });
}

CUDALABS_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                          const cudaMemsetParams* parameters) {
  return with_copy(wire::call("cudaGraphExecMemsetNodeSetParams"), call_site(), executable, handle,
                   [&](Client&, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
                     return set_fill(node.command, parameters);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                        const cudaHostNodeParams* parameters) {
  return with_copy(wire::call("cudaGraphExecHostNodeSetParams"), call_site(), executable, handle,
                   [&](Client&, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeHost) return cudaErrorInvalidValue;
                     return set_host(node.command, parameters);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                              cudaGraph_t child) {
  return with_copy(wire::call("cudaGraphExecChildGraphNodeSetParams"), call_site(), executable, handle,
                   [&](Client&, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
                     const Graph* const graph = graph_of(child);
                     return graph == nullptr ? cudaErrorInvalidValue : set_child_of(executable, node, *graph);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                              cudaEvent_t event) {
  return with_copy(wire::call("cudaGraphExecEventRecordNodeSetEvent"), call_site(), executable, handle,
                   [&](Client&, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeEventRecord) return cudaErrorInvalidValue;
                     return set_event(node.command, event);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                            cudaEvent_t event) {
  return with_copy(wire::call("cudaGraphExecEventWaitNodeSetEvent"), call_site(), executable, handle,
                   [&](Client&, Node& node) {
                     if (node.command.type != cudaGraphNodeTypeWaitEvent) return cudaErrorInvalidValue;
                     return set_event(node.command, event);
                   });
}

CUDALABS_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                    cudaGraphNodeParams* parameters) {
  return with_copy(wire::call("cudaGraphExecNodeSetParams"), call_site(), executable, handle,
                   [&](Client& self, Node& node) {
                     if (parameters == nullptr || parameters->type != node.command.type) return cudaErrorInvalidValue;
                     const Graph* const child = parameters->type == cudaGraphNodeTypeGraph &&
                                                        parameters->graph.ownership == cudaGraphChildGraphOwnershipClone
                                                    ? graph_of(parameters->graph.graph)
                                                    : nullptr;
                     return child != nullptr ? set_child_of(executable, node, *child)
                                             : set_any(self, nullptr, node.command, parameters);
                   });
}

CUDALABS_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                 unsigned int enabled) {
  return with_copy(wire::call("cudaGraphNodeSetEnabled"), call_site(), executable, handle, [&](Client&, Node& node) {
    if (!may_be_left_out(node)) return cudaErrorInvalidValue;
    node.enabled = enabled != 0;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                 unsigned int* enabled) {
  return with_copy(wire::call("cudaGraphNodeGetEnabled"), call_site(), executable, handle, [&](Client&, Node& node) {
    if (!may_be_left_out(node) || enabled == nullptr) return cudaErrorInvalidValue;
    *enabled = node.enabled ? 1 : 0;
    return cudaSuccess;
  });
}

}  // namespace cudalabs::vgpu::client
