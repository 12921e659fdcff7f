// Objects of the program that graphs keep alive: their destructors are called when nobody has a reference any more.
// While the client's lock is held.
#pragma once

#include "vgpu/cudart/client/graph.h"

namespace cudalabs::vgpu::client {

struct UserObject {
  void* data = nullptr;
  cudaHostFn_t destroy = nullptr;
  std::uint64_t of_program = 0, of_graphs = 0;  // references
};

/// Null when memory is exhausted.
UserObject* make_user_object(void* data, cudaHostFn_t destroy, unsigned int references);
/// What a handle stands for, or null.
UserObject* user_object_of(cudaUserObject_t handle);
/// cudaErrorInvalidValue where the program has fewer.
cudaError_t release_of_program(UserObject& object, unsigned int count);

/// `moves`: they are references that the program had.
cudaError_t retain(Graph& graph, UserObject& object, unsigned int count, bool moves);
/// cudaErrorInvalidValue where the graph has fewer.
cudaError_t release(Graph& graph, UserObject& object, unsigned int count);
cudaError_t copy_references(const Graph& from, Graph* to);
/// All that the graph has; those of the graphs in it are theirs.
void release_references(Graph& graph);
/// It has some, or a graph in it has.
bool holds_references(const Graph& graph);
/// Also of the graphs in it. Destructors wait for what `stream` was given, if there is one.
void release_references(Graph& graph, const cudaStream_t* stream);
/// In place of its own it gets those of a graph that has the same nodes; the same for the graphs in it.
cudaError_t replace_references(Graph& graph, const Graph& with, const cudaStream_t* stream);

}  // namespace cudalabs::vgpu::client
