// Commands of graphs: their copies, and how they are issued.
#include "vgpu/cudart/client/graph_command.h"

#include <stdlib.h>
#include <string.h>

#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/device_array.h"
#include "vgpu/cudart/client/graph.h"
#include "vgpu/cudart/client/graph_memory.h"
#include "vgpu/cudart/client/launch.h"

namespace cudalabs::vgpu::client {
namespace {

cudaError_t issue_launch(Client& self, const KernelCommand& kernel, cudaStream_t stream) {
  Function* function = nullptr;
  if (const cudaError_t status = self.find_function(kernel.function, &function); status != cudaSuccess) return status;
  if (function->parameter_bytes != kernel.parameter_bytes) return cudaErrorInvalidDeviceFunction;
  const LaunchOrder order{kernel.grid, kernel.block, kernel.shared_bytes, stream, kernel.cooperative, kernel.cluster};
  return launch_gathered(self, *function, order, kernel.parameters(), false);
}

bool is_of_equal_bytes(unsigned int value, unsigned int element) {
  return element == 1 || (element == 2 && (value & 0xff) == (value >> 8 & 0xff)) ||
         (element == 4 && value == (value & 0xff) * 0x01010101u);
}

cudaError_t copy_bodies(const ConditionalCommand& from, ConditionalCommand* to, bool internal) {
  to->bodies = static_cast<Graph**>(calloc(from.count, sizeof(Graph*)));
  if (to->bodies == nullptr) return cudaErrorMemoryAllocation;
  for (; to->count < from.count; ++to->count) {
    Graph*& body = to->bodies[to->count];
    const cudaError_t status = clone_graph(*from.bodies[to->count], &body, internal);
    if (status != cudaSuccess) return status;
    body->owned = true;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t fill_elements(Client& self, const cudaMemsetParams& elements, Order order) {
  if (const Captured captured = capture_fill(self, elements, order); captured.done) return captured.status;
  const std::size_t width = elements.width * elements.elementSize;
  const Side to{address_of(elements.dst), elements.height == 1 ? width : elements.pitch};
  const Shape shape{width, elements.height};
  if (is_of_equal_bytes(elements.value, elements.elementSize))
    return fill(self, to, shape, static_cast<int>(elements.value & 0xff), order);
  // The device fills with bytes: words come from the host, one row for all.
  auto* const row = static_cast<char*>(malloc(width));
  if (row == nullptr) return cudaErrorMemoryAllocation;
  for (std::size_t i = 0; i < elements.width; ++i)
    memcpy(row + i * elements.elementSize, &elements.value, elements.elementSize);
  const cudaError_t status = fill_with_row(self, to, shape, row, order);
  free(row);
  return status;
}

cudaError_t take_arguments(Client& self, void** arguments, KernelCommand* kernel) {
  Function* function = nullptr;
  if (const cudaError_t status = self.find_function(kernel->function, &function); status != cudaSuccess) return status;
  kernel->parameter_bytes = function->parameter_bytes;
  kernel->parameter_count = function->parameter_count;
  kernel->block_of_memory = malloc(kernel->parameter_count * sizeof(void*) + wire::kMaxParameterBytes);
  if (kernel->block_of_memory == nullptr) return cudaErrorMemoryAllocation;
  const cudaError_t status = gather_parameters(*function, arguments, kernel->parameters());
  if (status != cudaSuccess) {
    free(kernel->block_of_memory);
    kernel->block_of_memory = nullptr;
    return status;
  }
  for (std::uint32_t i = 0; i < kernel->parameter_count; ++i)
    kernel->arguments()[i] = kernel->parameters() + function->parameters[i].offset;
  return cudaSuccess;
}

void clear(Command& command) {
  free(command.kernel.block_of_memory);
  free(command.kernel.attributes);
  if (command.child != nullptr) destroy_graph(command.child);
  for (unsigned i = 0; i < command.conditional.count; ++i) destroy_graph(command.conditional.bodies[i]);
  free(command.conditional.bodies);
  command = Command{};
}

cudaError_t copy_command(const Command& from, Command* to, bool internal) {
  *to = from;
  to->kernel.block_of_memory = nullptr;
  to->kernel.attributes = nullptr;
  to->child = nullptr;
  to->conditional.count = 0;
  to->conditional.bodies = nullptr;
  const KernelCommand& kernel = from.kernel;
  if (kernel.block_of_memory != nullptr) {
    const std::size_t bytes = kernel.parameter_count * sizeof(void*) + wire::kMaxParameterBytes;
    to->kernel.block_of_memory = malloc(bytes);
    if (to->kernel.block_of_memory == nullptr) return cudaErrorMemoryAllocation;
    memcpy(to->kernel.block_of_memory, kernel.block_of_memory, bytes);
    for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
      const auto offset = static_cast<std::byte*>(kernel.arguments()[i]) - kernel.parameters();
      to->kernel.arguments()[i] = to->kernel.parameters() + offset;
    }
  }
  if (kernel.attributes != nullptr) {
    const std::size_t bytes = kLaunchAttributes * sizeof(cudaLaunchAttributeValue);
    to->kernel.attributes = static_cast<cudaLaunchAttributeValue*>(malloc(bytes));
    if (to->kernel.attributes == nullptr) return cudaErrorMemoryAllocation;
    memcpy(to->kernel.attributes, kernel.attributes, bytes);
  }
  if (from.conditional.bodies != nullptr) return copy_bodies(from.conditional, &to->conditional, internal);
  return from.child == nullptr ? cudaSuccess : clone_graph(*from.child, &to->child, internal);
}

cudaMemcpy3DParms copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                               std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), from_pitch, width, height);
  copy.dstPtr = make_cudaPitchedPtr(to, to_pitch, width, height);
  copy.extent = make_cudaExtent(width, height, 1);
  copy.kind = kind;
  return copy;
}

cudaError_t check_copy(Client& self, const cudaMemcpy3DParms& copy) {
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if ((copy.srcArray == nullptr) == (copy.srcPtr.ptr == nullptr) ||
      (copy.dstArray == nullptr) == (copy.dstPtr.ptr == nullptr))
    return cudaErrorInvalidValue;
  cudaMemcpy3DParms plain;
  return copy.srcArray || copy.dstArray ? without_arrays(self, copy, plain) : cudaSuccess;
}

cudaError_t check_fill(const cudaMemsetParams& fill) {
  const unsigned int element = fill.elementSize;
  std::size_t width = 0;
  if ((element != 1 && element != 2 && element != 4) || fill.dst == nullptr || fill.width == 0 || fill.height == 0 ||
      __builtin_mul_overflow(fill.width, element, &width) || (fill.height > 1 && width > fill.pitch) ||
      address_of(fill.dst) % element != 0 || (fill.height > 1 && fill.pitch % element != 0))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t check_free(const Graph& graph, const void* pointer) {
  if (!is_reserved(pointer)) return cudaErrorInvalidValue;
  for (const Node* node : graph.nodes) {
    if (node->command.type == cudaGraphNodeTypeMemFree && node->command.pointer == pointer)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t issue(Client& self, const Command& command, cudaStream_t stream) {
  switch (command.type) {
    case cudaGraphNodeTypeKernel:
      return issue_launch(self, command.kernel, stream);
    case cudaGraphNodeTypeMemcpy:
      return copy_volume(self, &command.copy, {stream, true});
    case cudaGraphNodeTypeMemset:
      return fill_elements(self, command.fill, {stream, true});
    case cudaGraphNodeTypeWaitEvent:
      return self.ask(wire::Op::stream_wait, wire::StreamEvent{stream_id(stream), event_id(command.event)});
    case cudaGraphNodeTypeEventRecord:
      return self.ask(wire::Op::event_record, wire::StreamEvent{stream_id(stream), event_id(command.event)});
    case cudaGraphNodeTypeMemAlloc:
      return allocate_reserved(self, command.allocation, stream);
    case cudaGraphNodeTypeMemFree:
      return release_in_order(self, command.pointer, stream);
    default:
      return cudaSuccess;
  }
}

}  // namespace cudalabs::vgpu::client
