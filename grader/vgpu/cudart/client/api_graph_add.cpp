// The runtime API: nodes of graphs, how they are added.
#include "vgpu/cudart/client/graph_of_call.h"
#include "vgpu/cudart/client/node_parameters.h"

namespace cudalabs::vgpu::client {
namespace {

/// `fill_in(client, graph, command)` says what the node does.
template <class FillIn>
cudaError_t add_as(std::uint16_t call, CallSite site, cudaGraphNode_t* node, cudaGraph_t handle,
                   const cudaGraphNode_t* dependencies, std::size_t count, FillIn&& fill_in) {
  return with_graph(call, site, handle, [&](Client& self, Graph& graph) {
    if (node == nullptr) return cudaErrorInvalidValue;
    Command command;
    const cudaError_t status = fill_in(self, graph, command);
    if (status == cudaSuccess) return add_command(self, graph, dependencies, count, command, node);
    clear(command);
    return status;
  });
}

}  // namespace

CUDALABS_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, size_t count,
                                                const cudaKernelNodeParams* parameters) {
  return add_as(wire::call("cudaGraphAddKernelNode"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph&, Command& command) { return set_kernel(self, command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, size_t count,
                                                const cudaMemcpy3DParms* parameters) {
  return add_as(wire::call("cudaGraphAddMemcpyNode"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph&, Command& command) { return set_copy(self, command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count, void* to,
                                                  const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_as(wire::call("cudaGraphAddMemcpyNode1D"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph&, Command& command) {
                  const cudaMemcpy3DParms copy = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
                  return set_copy(self, command, &copy);
                });
}

CUDALABS_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                        const cudaGraphNode_t* dependencies, size_t count,
                                                        const void* symbol, const void* from, size_t bytes,
                                                        size_t offset, cudaMemcpyKind kind) {
  return add_as(wire::call("cudaGraphAddMemcpyNodeToSymbol"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph&, Command& command) {
                  cudaMemcpy3DParms copy;
                  const cudaError_t status = copy_to_symbol_of(self, symbol, from, bytes, offset, kind, &copy);
                  return status == cudaSuccess ? set_copy(self, command, &copy) : status;
                });
}

CUDALABS_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                          const cudaGraphNode_t* dependencies, size_t count, void* to,
                                                          const void* symbol, size_t bytes, size_t offset,
                                                          cudaMemcpyKind kind) {
  return add_as(wire::call("cudaGraphAddMemcpyNodeFromSymbol"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph&, Command& command) {
                  cudaMemcpy3DParms copy;
                  const cudaError_t status = copy_from_symbol_of(self, to, symbol, bytes, offset, kind, &copy);
                  return status == cudaSuccess ? set_copy(self, command, &copy) : status;
                });
}

CUDALABS_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, size_t count,
                                                const cudaMemsetParams* parameters) {
  return add_as(wire::call("cudaGraphAddMemsetNode"), call_site(), node, graph, dependencies, count,
                [&](Client&, Graph&, Command& command) { return set_fill(command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, size_t count,
                                              const cudaHostNodeParams* parameters) {
  return add_as(wire::call("cudaGraphAddHostNode"), call_site(), node, graph, dependencies, count,
                [&](Client&, Graph&, Command& command) { return set_host(command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies, size_t count,
                                                    cudaGraph_t child) {
  return add_as(wire::call("cudaGraphAddChildGraphNode"), call_site(), node, graph, dependencies, count,
                [&](Client&, Graph& in, Command& command) {
                  const Graph* const inner = graph_of(child);
                  if (inner == nullptr || inner == &in || holds_memory_nodes(*inner)) return cudaErrorInvalidValue;
                  command.type = cudaGraphNodeTypeGraph;
                  return clone_graph(*inner, &command.child);
                });
}

CUDALABS_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count) {
  return add_as(wire::call("cudaGraphAddEmptyNode"), call_site(), node, graph, dependencies, count,
                [](Client&, Graph&, Command&) { return cudaSuccess; });
}

CUDALABS_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                     const cudaGraphNode_t* dependencies, size_t count,
                                                     cudaEvent_t event) {
  return add_as(wire::call("cudaGraphAddEventRecordNode"), call_site(), node, graph, dependencies, count,
                [&](Client&, Graph&, Command& command) {
                  command.type = cudaGraphNodeTypeEventRecord;
                  return set_event(command, event);
                });
}

CUDALABS_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t* dependencies, size_t count,
                                                   cudaEvent_t event) {
  return add_as(wire::call("cudaGraphAddEventWaitNode"), call_site(), node, graph, dependencies, count,
                [&](Client&, Graph&, Command& command) {
                  command.type = cudaGraphNodeTypeWaitEvent;
                  return set_event(command, event);
                });
}

CUDALABS_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count,
                                                  cudaMemAllocNodeParams* parameters) {
  return add_as(wire::call("cudaGraphAddMemAllocNode"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph&, Command& command) { return set_allocation(self, command, parameters); });
}

CUDALABS_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* dependencies, size_t count, void* pointer) {
  return add_as(wire::call("cudaGraphAddMemFreeNode"), call_site(), node, graph, dependencies, count,
                [&](Client&, Graph& in, Command& command) {
                  command.type = cudaGraphNodeTypeMemFree;
                  command.pointer = pointer;
                  return check_free(in, pointer);
                });
}

// What edges' data say, that a kernel may begin before the one in front has ended, is also kept by one that does not.
CUDALABS_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* parameters) {
  return add_as(wire::call("cudaGraphAddNode"), call_site(), node, graph, dependencies, count,
                [&](Client& self, Graph& in, Command& command) { return set_any(self, &in, command, parameters); });
}

}  // namespace cudalabs::vgpu::client
