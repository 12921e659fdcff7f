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

/// The same for elements of 4 or 8 bytes in registers of that size, with an index of type s32, u32 or u64 in row c,
/// shifted left by `extra` and added to the address; `base`: row a counts too.
Handler select_indexed_access(std::uint32_t bytes, ir::Type index, bool storing, bool base);

/// Textures and surfaces: an ImageOperation in `data`.
Handler select_image(ir::Opcode opcode);

}  // namespace cudalabs::vgpu::exec
