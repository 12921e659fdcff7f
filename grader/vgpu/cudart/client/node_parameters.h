// Nodes' parameters as the API has them, for nodes that are made, changed, or changed in an executable graph. While the
// client's lock is held.
#pragma once

#include "vgpu/cudart/client/graph.h"

namespace cudalabs::vgpu::client {

/// A new node of the graph behind others, with what `command` does, which it takes over.
cudaError_t add_command(Client& self, Graph& graph, const cudaGraphNode_t* dependencies, std::size_t count,
                        Command& command, cudaGraphNode_t* handle);

// Each replaces what a command of its type has; one that is refused stays as it was.
cudaError_t set_kernel(Client& self, Command& command, const cudaKernelNodeParams* parameters);
cudaError_t set_copy(Client& self, Command& command, const cudaMemcpy3DParms* parameters);
cudaError_t set_fill(Command& command, const cudaMemsetParams* parameters);
cudaError_t set_host(Command& command, const cudaHostNodeParams* parameters);
cudaError_t set_event(Command& command, cudaEvent_t event);
/// `parameters`: where the address is told.
cudaError_t set_allocation(Client& self, Command& command, cudaMemAllocNodeParams* parameters);
/// In an executable graph: the nodes of a graph that is made alike.
cudaError_t set_child(Command& command, const Graph& child);
/// Whatever it is; cudaErrorNotSupported for nodes that there are none of here.
cudaError_t set_any(Client& self, const Graph* graph, Command& command, cudaGraphNodeParams* parameters);

cudaError_t copy_to_symbol_of(Client& self, const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                              cudaMemcpyKind kind, cudaMemcpy3DParms* copy);
cudaError_t copy_from_symbol_of(Client& self, void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                cudaMemcpyKind kind, cudaMemcpy3DParms* copy);

/// Takes what another command of the type has, as updates do.
cudaError_t replace_command(Command& command, const Command& with);

}  // namespace cudalabs::vgpu::client
