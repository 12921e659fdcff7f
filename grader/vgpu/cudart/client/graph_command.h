// What a node of a graph does: one call that a stream could be given, with all that it needs, kept until it is issued.
#pragma once

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/copy.h"

namespace cudalabs::vgpu::client {

struct Graph;

/// A call of the program, as findings name it.
struct Place {
  std::uint16_t call = 0;
  std::uint64_t origin = 0, outer = 0;
  std::uint16_t driver_call = 0;  // as in Client
};
/// The call in hand.
inline Place place_in_hand(const Client& self) {
  return {self.call, self.origin, self.outer_origin, self.driver_call};
}

/// From now on requests are those of this call.
inline void take_in_hand(Client& self, const Place& place) {
  self.call = place.call;
  self.origin = place.origin;
  self.outer_origin = place.outer;
  self.driver_call = place.driver_call;
}

/// Requests are those of a call at another place, until it goes.
class Attributed {
 public:
  Attributed(Client& client, const Place& place) : client_(client), before_(place_in_hand(client)) {
    take_in_hand(client, place);
  }
  ~Attributed() { take_in_hand(client_, before_); }
  Attributed(const Attributed&) = delete;
  Attributed& operator=(const Attributed&) = delete;

 private:
  Client& client_;
  Place before_;
};

inline constexpr unsigned kLaunchAttributes = 17;  // cudaLaunchAttributeID

/// A launch whose arguments are copied. `block_of_memory` holds them, as the kernel gets them, and pointers to each.
struct KernelCommand {
  const void* function = nullptr;
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  ClusterSize cluster = {};
  std::uint32_t parameter_bytes = 0, parameter_count = 0;
  void* block_of_memory = nullptr;
  cudaLaunchAttributeValue* attributes = nullptr;  // null, or kLaunchAttributes that the program has set

  void** arguments() const { return static_cast<void**>(block_of_memory); }
  std::byte* parameters() const { return static_cast<std::byte*>(block_of_memory) + parameter_count * sizeof(void*); }
};

/// A value of the device, and the graphs that are launched by it. See conditions.h.
struct ConditionalCommand {
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  unsigned count = 0;
  Graph** bodies = nullptr;  // owned, and what they are
};

/// Of a command only what its type says counts.
struct Command {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  KernelCommand kernel;
  cudaMemcpy3DParms copy = {};
  cudaMemsetParams fill = {};
  cudaHostNodeParams host = {};
  Graph* child = nullptr;  // owned
  cudaEvent_t event = nullptr;
  cudaMemAllocNodeParams allocation = {};
  void* pointer = nullptr;  // to be freed
  ConditionalCommand conditional;
};

/// Copies the arguments of a launch. cudaErrorInvalidDeviceFunction and the like where there is no such kernel.
cudaError_t take_arguments(Client& self, void** arguments, KernelCommand* kernel);
/// Frees what the command owns.
void clear(Command& command);
/// `to` owns copies of all that `from` owns; `internal`: as in Graph.
cudaError_t copy_command(const Command& from, Command* to, bool internal);

/// A copy of one row, or of `height` rows, as cudaMemcpy3D takes it.
cudaMemcpy3DParms copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                               std::size_t width, std::size_t height, cudaMemcpyKind kind);
/// Whether such a copy, or a fill, can be at all; what its pointers are is looked at when it is issued.
cudaError_t check_copy(Client& self, const cudaMemcpy3DParms& copy);
cudaError_t check_fill(const cudaMemsetParams& fill);
/// Whether the pointer is that of a node's allocation, and the graph does not free it yet.
cudaError_t check_free(const Graph& graph, const void* pointer);

/// Sets elements of one, two or four bytes, in a capture as a node.
cudaError_t fill_elements(Client& self, const cudaMemsetParams& elements, Order order);

/// Gives it to a stream; not for host functions, child graphs and conditional nodes. The place must be that of the
/// node.
cudaError_t issue(Client& self, const Command& command, cudaStream_t stream);

}  // namespace cudalabs::vgpu::client
