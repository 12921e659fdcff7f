// Where a program would like pages of unified memory to be. It makes no difference to what a program computes: what is
// asked for is kept for who asks about it. While the client's lock is held.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// A place as cudaMemAdvise and cudaMemPrefetchAsync get it: a cudaMemLocation since CUDA 13, before that the number of
/// a device or cudaCpuDeviceId, in the lower half.
cudaMemLocation place_of(std::uint64_t given);
/// Whether pages can be there: cudaErrorInvalidValue, or cudaErrorInvalidDevice.
cudaError_t check_place(const cudaMemLocation& place);

/// All of the range is unified memory of one allocation, or of one variable.
bool is_managed_range(const Client& self, const void* pointer, std::size_t bytes);

cudaError_t advise(Client& self, const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                   const cudaMemLocation& place);
cudaError_t prefetch(Client& self, const void* pointer, std::size_t bytes, const cudaMemLocation& place,
                     unsigned int flags);
cudaError_t range_attribute(Client& self, void* data, std::size_t data_bytes, int attribute, const void* pointer,
                            std::size_t bytes);
cudaError_t range_attributes(Client& self, void** data, const std::size_t* data_bytes, const int* attributes,
                             std::size_t count, const void* pointer, std::size_t bytes);

/// The memory is given back.
void forget_advice(std::uint64_t address, std::uint64_t bytes);
void forget_advice();

}  // namespace cudalabs::vgpu::client
