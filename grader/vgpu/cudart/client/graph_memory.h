// Memory of graphs: an address is given when a node is made, and holds memory from the allocation's turn until that of
// its free, in each launch anew.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// Takes an address for `bytes`, at which nothing is yet.
cudaError_t reserve(Client& self, std::size_t bytes, void** pointer);
/// In the order of a stream there is memory at an address that was taken.
cudaError_t allocate_reserved(Client& self, const cudaMemAllocNodeParams& allocation, cudaStream_t stream);
/// Whether `reserve` gave it.
bool is_reserved(const void* pointer);
void forget_reserved();

/// cudaFreeAsync of device memory. In api_memory.cpp.
cudaError_t release_in_order(Client& self, void* pointer, cudaStream_t stream);

/// What cudaDeviceGetGraphMemAttribute tells, in bytes.
struct GraphMemory {
  std::uint64_t used = 0, used_high = 0;

  void take(std::uint64_t bytes) {
    used += bytes;
    if (used > used_high) used_high = used;
  }
  void give_back(std::uint64_t bytes) { used -= bytes < used ? bytes : used; }
};
GraphMemory& graph_memory();

}  // namespace cudalabs::vgpu::client
