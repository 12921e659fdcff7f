// The words that conditions have on the device, and the launches that depend on them.
#include "vgpu/cudart/client/conditions.h"

#include <stdlib.h>

#include "vgpu/cudart/client/graph_of_call.h"

namespace cudalabs::vgpu::client {
namespace {

struct Condition {
  cudaGraphConditionalHandle handle = 0;
  unsigned long long graph_id = 0;
  unsigned value = 0;        // at the begin of a launch,
  bool is_assigned = false;  // if it is set then
  bool has_node = false;
};

constinit Array<Condition> conditions;

Condition* condition_of(cudaGraphConditionalHandle handle) {
  for (Condition& condition : conditions)
    if (condition.handle == handle) return &condition;
  return nullptr;
}

wire::Copy copy_of_word(cudaGraphConditionalHandle handle, cudaStream_t stream, bool asynchronous) {
  return {{handle, sizeof(unsigned), sizeof(unsigned), 1}, stream_id(stream), asynchronous, 0};
}

HostRows word_of_host(unsigned* word) {
  return {reinterpret_cast<std::byte*>(word), sizeof *word, sizeof *word, 1};
}

cudaError_t write(Client& self, cudaGraphConditionalHandle handle, unsigned value, cudaStream_t stream) {
  const wire::Copy request = copy_of_word(handle, stream, true);
  const HostRows data = word_of_host(&value);
  Expected nothing;
  return self.exchange(wire::Op::copy_in, &request, sizeof request, &data, nothing);
}

/// Waits for all that the stream has before it.
cudaError_t read(Client& self, cudaGraphConditionalHandle handle, cudaStream_t stream, unsigned* value) {
  const wire::Copy request = copy_of_word(handle, stream, false);
  const HostRows rows = word_of_host(value);
  Expected expected;
  expected.rows = &rows;
  return self.exchange(wire::Op::copy_out, &request, sizeof request, nullptr, expected);
}

cudaError_t launch(Client& self, Executable& body, cudaStream_t stream) {
  GraphLaunch launch;
  cudaError_t status = launch.begin(self, body, stream);
  if (!launch.begun()) return status;
  bool has_host_function = false;
  if (status == cudaSuccess) status = launch.proceed(self, &has_host_function);
  launch.end(self);
  return status;
}

/// Which of so many bodies a value asks for; `count`: none.
unsigned body_for(const ConditionalCommand& conditional, unsigned value) {
  switch (conditional.type) {
    case cudaGraphCondTypeWhile:
      return value != 0 ? 0 : conditional.count;
    case cudaGraphCondTypeIf:
      return value != 0 ? 0 : 1;
    default:
      return value < conditional.count ? value : conditional.count;
  }
}

bool is_possible(const cudaConditionalNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphCondTypeIf:
      return parameters.size == 1 || parameters.size == 2;
    case cudaGraphCondTypeWhile:
      return parameters.size == 1;
    case cudaGraphCondTypeSwitch:
      return parameters.size > 0;
    default:
      return false;
  }
}

}  // namespace

cudaError_t make_condition(Client& self, const Graph& graph, unsigned value, unsigned flags,
                           cudaGraphConditionalHandle* handle) {
  if (handle == nullptr || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0) return cudaErrorInvalidValue;
  wire::Address address;
  {
    const Attributed quietly(self, {});
    const cudaError_t status = self.ask(wire::Op::allocate, wire::Allocate{sizeof value}, &address);
    if (status != cudaSuccess) return status;
  }
  Condition condition;
  condition.handle = address.address;
  condition.graph_id = graph.id;
  condition.value = value;
  condition.is_assigned = (flags & cudaGraphCondAssignDefault) != 0;
  if (!conditions.push(condition)) return cudaErrorMemoryAllocation;
  *handle = condition.handle;
  return write(self, condition.handle, 0, nullptr);
}

cudaError_t set_conditional(const Graph& graph, Command& command, cudaConditionalNodeParams* parameters) {
  constexpr unsigned kMostBodies = 1024;
  Condition* const condition = condition_of(parameters->handle);
  if (condition == nullptr || condition->has_node || !is_possible(*parameters) || parameters->size > kMostBodies)
    return cudaErrorInvalidValue;
  if (condition->graph_id != graph.id && !graph.owned) return cudaErrorInvalidValue;
  command.type = cudaGraphNodeTypeConditional;
  ConditionalCommand& conditional = command.conditional;
  conditional.handle = parameters->handle;
  conditional.type = parameters->type;
  conditional.bodies = static_cast<Graph**>(calloc(parameters->size, sizeof(Graph*)));
  if (conditional.bodies == nullptr) return cudaErrorMemoryAllocation;
  for (; conditional.count < parameters->size; ++conditional.count) {
    Graph* const body = make_graph();
    if (body == nullptr) return cudaErrorMemoryAllocation;
    body->owned = true;
    conditional.bodies[conditional.count] = body;
  }
  condition->has_node = true;
  parameters->phGraph_out = reinterpret_cast<cudaGraph_t*>(conditional.bodies);  // handles are what they name
  return cudaSuccess;
}

cudaError_t assign_conditions(Client& self, const Executable& executable, cudaStream_t stream) {
  for (const Step& step : executable.steps) {
    if (step.node == nullptr || step.node->command.type != cudaGraphNodeTypeConditional) continue;
    const Condition* const condition = condition_of(step.node->command.conditional.handle);
    if (condition != nullptr && condition->is_assigned) {
      const Attributed to_node(self, step.node->place);
      const cudaError_t status = write(self, condition->handle, condition->value, stream);
      if (status != cudaSuccess) return status;
    }
  }
  for (const Executable* body : executable.bodies)
    if (const cudaError_t status = assign_conditions(self, *body, stream); status != cudaSuccess) return status;
  return cudaSuccess;
}

cudaError_t launch_bodies(Client& self, const ConditionalCommand& conditional, Executable* const* bodies,
                          cudaStream_t stream) {
  for (bool again = true; again;) {
    unsigned value = 0;
    if (const cudaError_t status = read(self, conditional.handle, stream, &value); status != cudaSuccess) return status;
    const unsigned body = body_for(conditional, value);
    if (body >= conditional.count) return cudaSuccess;
    if (const cudaError_t status = launch(self, *bodies[body], stream); status != cudaSuccess) return status;
    again = conditional.type == cudaGraphCondTypeWhile;
  }
  return cudaSuccess;
}

bool may_be_body(const Graph& graph) {
  for (const Node* node : graph.nodes) {
    switch (node->command.type) {
      case cudaGraphNodeTypeKernel:
      case cudaGraphNodeTypeMemcpy:
      case cudaGraphNodeTypeMemset:
      case cudaGraphNodeTypeEmpty:
      case cudaGraphNodeTypeConditional:  // its bodies are looked at by themselves
        break;
      case cudaGraphNodeTypeGraph:
        if (!may_be_body(*node->command.child)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

void release_conditions(Client& self) {
  const Attributed quietly(self, {});
  for (const Condition& condition : conditions) self.ask(wire::Op::release, wire::Address{condition.handle});
  conditions.clear();
}

void forget_conditions() {
  conditions.clear();
}

CUDALABS_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                          unsigned int value, unsigned int flags) {
  return with_graph(wire::call("cudaGraphConditionalHandleCreate"), call_site(), graph,
                    [&](Client& self, Graph& found) { return make_condition(self, found, value, flags, handle); });
}

}  // namespace cudalabs::vgpu::client
