// Calls of the runtime API that are about a graph, a node, or an executable graph that the program names.
#pragma once

#include "vgpu/cudart/client/capture.h"
#include "vgpu/cudart/client/graph.h"
#include "vgpu/cudart/client/graph_exec.h"

namespace cudalabs::vgpu::client {

/// What no GPU does with graphs that hold memory: it is no lack of this one, so that nobody is told.
inline cudaError_t refuse_memory_nodes(Client& self) {
  self.note(cudaErrorInvalidValue, cudaSuccess, nullptr);
  return cudaErrorNotSupported;
}

/// `body(client, graph)`; cudaErrorInvalidValue where the handle is none.
template <class Body>
cudaError_t with_graph(std::uint16_t call, CallSite site, cudaGraph_t handle, Body&& body) {
  return answer_here(call, site, [&](Client& self) {
    Graph* const graph = graph_of(handle);
    return graph == nullptr ? cudaErrorInvalidValue : body(self, *graph);
  });
}

/// `body(client, node)`, likewise.
template <class Body>
cudaError_t with_node(std::uint16_t call, CallSite site, cudaGraphNode_t handle, Body&& body) {
  return answer_here(call, site, [&](Client& self) {
    Node* const node = node_of(handle);
    return node == nullptr ? cudaErrorInvalidValue : body(self, *node);
  });
}
/// The same for a node that does this.
template <class Body>
cudaError_t with_node(std::uint16_t call, CallSite site, cudaGraphNode_t handle, cudaGraphNodeType type, Body&& body) {
  return with_node(call, site, handle, [&](Client& self, Node& node) {
    return node.command.type == type ? body(self, node) : cudaErrorInvalidValue;
  });
}

/// `body(client, copy)` for the executable graph's copy of a node.
template <class Body>
cudaError_t with_copy(std::uint16_t call, CallSite site, cudaGraphExec_t executable_handle, cudaGraphNode_t handle,
                      Body&& body) {
  return answer_here(call, site, [&](Client& self) {
    const Executable* const executable = executable_of(executable_handle);
    const Node* const node = node_of(handle);
    Node* const copy = executable == nullptr || node == nullptr ? nullptr : copy_of(*executable->graph, *node);
    return copy == nullptr ? cudaErrorInvalidValue : body(self, *copy);
  });
}

}  // namespace cudalabs::vgpu::client
