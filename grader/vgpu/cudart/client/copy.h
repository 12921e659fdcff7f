// Copies and fills as the API's functions describe them.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// One side of a copy: rows of memory somewhere.
struct Side {
  std::uint64_t address = 0;
  std::uint64_t pitch = 0;
};
struct Shape {
  std::uint64_t width = 0, height = 1;
};
struct Order {
  cudaStream_t stream = default_stream();
  bool asynchronous = false;
  bool reads_at_once = false;  // its source on the host, before the call returns
};

cudaError_t copy_pitched(Client& self, Side to, Side from, Shape shape, cudaMemcpyKind kind, Order order);
/// The address of `offset` in a symbol, or an error when `bytes` do not fit there.
cudaError_t symbol_address(Client& self, const void* symbol, std::size_t offset, std::size_t bytes,
                           std::uint64_t* address);
/// In api_copy_3d.cpp.
cudaError_t copy_volume(Client& self, const cudaMemcpy3DParms* parameters, Order order);
cudaError_t fill(Client& self, Side to, Shape shape, int value, Order order);
/// All rows become as this one, of `shape.width` bytes.
cudaError_t fill_with_row(Client& self, Side to, Shape shape, char* row, Order order);
/// Tells the server of a call that was refused, perhaps for its pointers, or had nothing to do.
cudaError_t end_here(Client& self, cudaError_t status, Order order, CallPointers pointers = {},
                     std::uint64_t stray = 0);

}  // namespace cudalabs::vgpu::client
