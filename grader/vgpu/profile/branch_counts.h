// How many threads went each way at the conditional branches of a program, from what was counted anyway.
#pragma once

#include <cstdint>
#include <span>

#include "vgpu/profile/branch_coverage.h"
#include "vgpu/profile/branch_table.h"

namespace cudalabs::vgpu {

/// `lanes`: how many threads executed each instruction, in a launch that ran to its end. Nothing is counted for this
/// while kernels run: as many threads leave a block of instructions as come to its end, and as many enter it as come to
/// its beginning, which decides all branches of programs without wild jumps. Branches it does not decide are left out.
BranchCoverage branch_counts(const BranchTable& table, std::span<const std::uint64_t> lanes);

}  // namespace cudalabs::vgpu
