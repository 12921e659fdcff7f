// The device's heap, as kernels use it.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu::exec {

struct Warp;

/// What `free(address)` of a lane does; an address that is none of the heap's is an error.
void free_on_heap(Warp* warp, std::uint32_t lane, std::uint64_t address, std::uint32_t instruction);

}  // namespace cudalabs::vgpu::exec
