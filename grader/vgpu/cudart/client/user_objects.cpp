// Counts references, of the program and of graphs.
#include "vgpu/cudart/client/user_objects.h"

#include "vgpu/cudart/client/heap_object.h"
#include "vgpu/cudart/client/host_functions.h"

namespace cudalabs::vgpu::client {
namespace {

constinit Array<UserObject*> objects;

/// `stream`: null where nothing is to be waited for.
void destroy_if_unused(UserObject* object, const cudaStream_t* stream) {
  if (object->of_program != 0 || object->of_graphs != 0) return;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i] != object) continue;
    objects.erase(i);
    break;
  }
  call_later(object->destroy, object->data, stream);
  discard(object);
}

UserReferences* references_to(Graph& graph, const UserObject* object) {
  for (UserReferences& known : graph.user_objects)
    if (known.object == object) return &known;
  return nullptr;
}

void release_list(Array<UserReferences>& list, const cudaStream_t* stream) {
  for (const UserReferences& references : list) {
    references.object->of_graphs -= references.count;
    destroy_if_unused(references.object, stream);
  }
  list.clear();
}

}  // namespace

UserObject* make_user_object(void* data, cudaHostFn_t destroy, unsigned int references) {
  auto* const object = make<UserObject>();
  if (object == nullptr || !objects.push(object)) {
    discard(object);
    return nullptr;
  }
  object->data = data;
  object->destroy = destroy;
  object->of_program = references;
  return object;
}

UserObject* user_object_of(cudaUserObject_t handle) {
  for (UserObject* known : objects)
    if (reinterpret_cast<cudaUserObject_t>(known) == handle) return known;
  return nullptr;
}

cudaError_t release_of_program(UserObject& object, unsigned int count) {
  if (object.of_program < count) return cudaErrorInvalidValue;
  object.of_program -= count;
  destroy_if_unused(&object, nullptr);
  return cudaSuccess;
}

cudaError_t retain(Graph& graph, UserObject& object, unsigned int count, bool moves) {
  if (moves && object.of_program < count) return cudaErrorInvalidValue;
  UserReferences* const known = references_to(graph, &object);
  if (known == nullptr && !graph.user_objects.push({&object, count})) return cudaErrorMemoryAllocation;
  if (known != nullptr) known->count += count;
  object.of_graphs += count;
  if (moves) object.of_program -= count;
  return cudaSuccess;
}

cudaError_t release(Graph& graph, UserObject& object, unsigned int count) {
  UserReferences* const known = references_to(graph, &object);
  if (known == nullptr || known->count < count) return cudaErrorInvalidValue;
  known->count -= count;
  object.of_graphs -= count;
  if (known->count == 0) graph.user_objects.erase(static_cast<std::size_t>(known - graph.user_objects.begin()));
  destroy_if_unused(&object, nullptr);
  return cudaSuccess;
}

cudaError_t copy_references(const Graph& from, Graph* to) {
  for (const UserReferences& references : from.user_objects) {
    if (!to->user_objects.push(references)) return cudaErrorMemoryAllocation;
    references.object->of_graphs += references.count;
  }
  return cudaSuccess;
}

void release_references(Graph& graph) {
  release_list(graph.user_objects, nullptr);
}

bool holds_references(const Graph& graph) {
  if (graph.user_objects.size() > 0) return true;
  for (const Node* node : graph.nodes) {
    const Command& command = node->command;
    if (command.child != nullptr && holds_references(*command.child)) return true;
    for (unsigned i = 0; i < command.conditional.count; ++i)
      if (holds_references(*command.conditional.bodies[i])) return true;
  }
  return false;
}

void release_references(Graph& graph, const cudaStream_t* stream) {
  release_list(graph.user_objects, stream);
  for (Node* node : graph.nodes) {
    Command& command = node->command;
    if (command.child != nullptr) release_references(*command.child, stream);
    for (unsigned i = 0; i < command.conditional.count; ++i) release_references(*command.conditional.bodies[i], stream);
  }
}

cudaError_t replace_references(Graph& graph, const Graph& with, const cudaStream_t* stream) {
  Array<UserReferences> own;
  for (const UserReferences& references : graph.user_objects)
    if (!own.push(references)) return cudaErrorMemoryAllocation;
  graph.user_objects.clear();
  cudaError_t status = copy_references(with, &graph);
  release_list(own, stream);
  for (std::size_t i = 0; i < graph.nodes.size() && i < with.nodes.size() && status == cudaSuccess; ++i) {
    Graph* const child = graph.nodes[i]->command.child;
    const Graph* const other = with.nodes[i]->command.child;
    if (child != nullptr && other != nullptr) status = replace_references(*child, *other, stream);
  }
  return status;
}

}  // namespace cudalabs::vgpu::client
