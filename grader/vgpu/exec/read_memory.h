// Reading what a generic address means to one thread, without telling observers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// False when any byte lies outside what the thread may read.
bool read_memory(Warp* warp, std::uint32_t lane, std::uint64_t address, void* to, std::size_t bytes);

}  // namespace cudalabs::vgpu::exec
