// What nodes are told to do, looked at and kept.
#include "vgpu/cudart/client/node_parameters.h"

#include "vgpu/cudart/client/conditions.h"
#include "vgpu/cudart/client/copy.h"
#include "vgpu/cudart/client/graph_memory.h"
#include "vgpu/cudart/client/launch.h"

namespace cudalabs::vgpu::client {
namespace {

/// The same parameters under the name that cudaGraphNodeParams has for them.
cudaKernelNodeParams plain(const cudaKernelNodeParamsV2& from) {
  return {from.func, from.gridDim, from.blockDim, from.sharedMemBytes, from.kernelParams, from.extra};
}
cudaMemsetParams plain(const cudaMemsetParamsV2& from) {
  return {from.dst, from.pitch, from.value, from.elementSize, from.width, from.height};
}

/// Two graphs with the same nodes and edges: `change(node, other)` for each pair.
template <class Change>
cudaError_t for_each_pair(const Graph& graph, const Graph& other, Change&& change) {
  if (graph.nodes.size() != other.nodes.size()) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Command &ours = graph.nodes[i]->command, &theirs = other.nodes[i]->command;
    if (ours.type != theirs.type || graph.nodes[i]->before.size() != other.nodes[i]->before.size())
      return cudaErrorInvalidValue;
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const cudaError_t status = change(*graph.nodes[i], *other.nodes[i]);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t add_command(Client& self, Graph& graph, const cudaGraphNode_t* dependencies, std::size_t count,
                        Command& command, cudaGraphNode_t* handle) {
  cudaError_t status =
      handle == nullptr || (count > 0 && dependencies == nullptr) ? cudaErrorInvalidValue : cudaSuccess;
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) {
    if (node_of(graph, dependencies[i]) == nullptr) status = cudaErrorInvalidValue;
    for (std::size_t j = 0; j < i; ++j)
      if (dependencies[j] == dependencies[i]) status = cudaErrorInvalidValue;
  }
  if (status != cudaSuccess) {
    clear(command);
    return status;
  }
  Node* const node = add_node(graph, command, place_in_hand(self));
  if (node == nullptr) return cudaErrorMemoryAllocation;
  for (std::size_t i = 0; i < count; ++i) {
    if (add_edge(*node_of(graph, dependencies[i]), *node)) continue;
    destroy_node(node);
    return cudaErrorMemoryAllocation;
  }
  *handle = handle_of(node);
  return cudaSuccess;
}

cudaError_t set_kernel(Client& self, Command& command, const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr || parameters->extra != nullptr) return cudaErrorInvalidValue;
  const dim3 grid = parameters->gridDim, block = parameters->blockDim;
  if (!can_be_launched(self, grid, block)) return cudaErrorInvalidValue;
  Command changed;
  changed.kernel = command.kernel;
  changed.kernel.attributes = nullptr;
  changed.kernel.function = parameters->func;
  changed.kernel.grid = grid;
  changed.kernel.block = block;
  changed.kernel.shared_bytes = parameters->sharedMemBytes;
  changed.kernel.block_of_memory = nullptr;
  const cudaError_t status = take_arguments(self, parameters->kernelParams, &changed.kernel);
  if (status != cudaSuccess) return status;
  changed.kernel.attributes = command.kernel.attributes;
  command.kernel.attributes = nullptr;
  clear(command);
  command = changed;
  command.type = cudaGraphNodeTypeKernel;
  return cudaSuccess;
}

cudaError_t set_copy(Client& self, Command& command, const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaError_t status = check_copy(self, *parameters);
  if (status != cudaSuccess) return status;
  command.type = cudaGraphNodeTypeMemcpy;
  command.copy = *parameters;
  return cudaSuccess;
}

cudaError_t set_fill(Command& command, const cudaMemsetParams* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaError_t status = check_fill(*parameters);
  if (status != cudaSuccess) return status;
  command.type = cudaGraphNodeTypeMemset;
  command.fill = *parameters;
  return cudaSuccess;
}

cudaError_t set_host(Command& command, const cudaHostNodeParams* parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
  command.type = cudaGraphNodeTypeHost;
  command.host = *parameters;
  return cudaSuccess;
}

cudaError_t set_event(Command& command, cudaEvent_t event) {
  if (event == nullptr) return cudaErrorInvalidValue;
  command.event = event;
  return cudaSuccess;
}

cudaError_t set_allocation(Client& self, Command& command, cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr || parameters->bytesize == 0 ||
      parameters->poolProps.allocType != cudaMemAllocationTypePinned ||
      parameters->poolProps.handleTypes != cudaMemHandleTypeNone ||
      parameters->poolProps.location.type != cudaMemLocationTypeDevice)
    return cudaErrorInvalidValue;
  if (parameters->poolProps.location.id != 0) return cudaErrorInvalidDevice;
  const cudaError_t status = reserve(self, parameters->bytesize, &parameters->dptr);
  if (status != cudaSuccess) return status;
  command.type = cudaGraphNodeTypeMemAlloc;
  command.allocation = *parameters;
  command.allocation.accessDescs = nullptr;
  command.allocation.accessDescCount = 0;
  return cudaSuccess;
}

cudaError_t replace_command(Command& command, const Command& with) {
  if (command.type == cudaGraphNodeTypeConditional) return cudaErrorNotSupported;
  if (command.child != nullptr) return set_child(command, *with.child);
  Command copy;
  const cudaError_t status = copy_command(with, &copy, true);
  clear(status == cudaSuccess ? command : copy);
  if (status == cudaSuccess) command = copy;
  return status;
}

cudaError_t set_child(Command& command, const Graph& child) {
  return for_each_pair(*command.child, child,
                       [](Node& node, const Node& other) { return replace_command(node.command, other.command); });
}

cudaError_t set_any(Client& self, const Graph* graph, Command& command, cudaGraphNodeParams* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams kernel = plain(parameters->kernel);
      return set_kernel(self, command, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      return set_copy(self, command, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams fill = plain(parameters->memset);
      return set_fill(command, &fill);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host{parameters->host.fn, parameters->host.userData};
      return set_host(command, &host);
    }
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      command.type = parameters->type;
      return set_event(command, parameters->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      command.type = parameters->type;
      return set_event(command, parameters->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
      if (graph == nullptr) return cudaErrorInvalidValue;
      const cudaMemAllocNodeParamsV2& given = parameters->alloc;
      cudaMemAllocNodeParams allocation{given.poolProps, given.accessDescs, given.accessDescCount, given.bytesize,
                                        nullptr};
      const cudaError_t status = set_allocation(self, command, &allocation);
      parameters->alloc.dptr = allocation.dptr;
      return status;
    }
    case cudaGraphNodeTypeMemFree: {
      if (graph == nullptr) return cudaErrorInvalidValue;
      command.type = parameters->type;
      command.pointer = parameters->free.dptr;
      return check_free(*graph, command.pointer);
    }
    case cudaGraphNodeTypeGraph: {
      const Graph* const child = graph_of(parameters->graph.graph);
      if (child == nullptr || child == graph || parameters->graph.ownership != cudaGraphChildGraphOwnershipClone)
        return cudaErrorInvalidValue;
      if (command.child != nullptr) return set_child(command, *child);
      if (holds_memory_nodes(*child)) return cudaErrorInvalidValue;
      command.type = parameters->type;
      return clone_graph(*child, &command.child);
    }
    case cudaGraphNodeTypeConditional:
      return graph == nullptr ? cudaErrorInvalidValue : set_conditional(*graph, command, &parameters->conditional);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      return refuse_part(self, wire::UnsupportedPart::semaphore_node);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t copy_to_symbol_of(Client& self, const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                              cudaMemcpyKind kind, cudaMemcpy3DParms* copy) {
  std::uint64_t to = 0;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) return cudaErrorInvalidMemcpyDirection;
  const cudaError_t status = symbol_address(self, symbol, offset, bytes, &to);
  *copy = copy_of_rows(reinterpret_cast<void*>(to), bytes, from, bytes, bytes, 1, kind);
  return status;
}

cudaError_t copy_from_symbol_of(Client& self, void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                cudaMemcpyKind kind, cudaMemcpy3DParms* copy) {
  std::uint64_t from = 0;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) return cudaErrorInvalidMemcpyDirection;
  const cudaError_t status = symbol_address(self, symbol, offset, bytes, &from);
  *copy = copy_of_rows(to, bytes, reinterpret_cast<void*>(from), bytes, bytes, 1, kind);
  return status;
}

}  // namespace cudalabs::vgpu::client
