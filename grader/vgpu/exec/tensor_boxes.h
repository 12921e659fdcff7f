// Which bytes of a tensor, and which of shared memory, a copy of one box takes.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/exec/bulk_copies.h"
#include "vgpu/memory/tensor_map.h"

namespace cudalabs::vgpu::exec {

/// The box whose first element has the coordinates `first`, of which some may be outside of the tensor, and what lies
/// from the offset `shared` on in the shared memory of a block. In shared memory its elements lie side by side, the
/// innermost dimension first; with a swizzle, each row has the swizzle's span. `loads`: from the tensor; else to it,
/// and what is outside of it is left out.
std::vector<BulkPiece> pieces_of_box(const TensorMap& map, const std::int32_t first[kMostTensorDimensions],
                                     std::uint64_t shared, bool loads);

}  // namespace cudalabs::vgpu::exec
