// Which handler executes a load or store.
#pragma once

#include <cstdint>

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/micro_op.h"

namespace cudalabs::vgpu::exec {

/// `register_bytes`: per lane, of the registers that hold the `elements` (1, 2 or 4) of each lane's vector.
/// Operation: address row a plus immediate, MemoryDescriptor in `data`; rows of a load d, b, c, extra; of a store b, c,
/// d, extra.
Handler select_access(ir::Type type, std::uint32_t elements, std::uint32_t register_bytes, bool storing);

}  // namespace cudalabs::vgpu::exec
