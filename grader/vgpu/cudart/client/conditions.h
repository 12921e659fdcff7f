// Conditional nodes of graphs: values that kernels set, and graphs that are launched by them. While the client's lock
// is held.
//
// A handle is the address of a word of device memory, which holds the value. When a conditional node's turn comes the
// client waits for what comes before it, reads the word, and launches what it asks for.
#pragma once

#include "vgpu/cudart/client/graph_exec.h"

namespace cudalabs::vgpu::client {

cudaError_t make_condition(Client& self, const Graph& graph, unsigned value, unsigned flags,
                           cudaGraphConditionalHandle* handle);
/// Makes the bodies of a conditional node of `graph`, and tells their handles in `parameters`.
cudaError_t set_conditional(const Graph& graph, Command& command, cudaConditionalNodeParams* parameters);
/// Gives their first values to those that are to have one with each launch.
cudaError_t assign_conditions(Client& self, const Executable& executable, cudaStream_t stream);
/// A conditional node's turn in a stream: `bodies` are its graphs.
cudaError_t launch_bodies(Client& self, const ConditionalCommand& conditional, Executable* const* bodies,
                          cudaStream_t stream);
/// CUDA allows kernels, copies, fills, empty nodes and such graphs in a body, and no more.
bool may_be_body(const Graph& graph);

/// The program ends: their memory is nobody's leak.
void release_conditions(Client& self);
void forget_conditions();

}  // namespace cudalabs::vgpu::client
