// How many threads went each way at the conditional branches of a function, from what was counted anyway.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vgpu/profile/branch_table.h"

namespace cudalabs::vgpu {

struct BranchThreads {
  std::uint32_t branch = 0;           // into the table's branches
  std::uint64_t next = 0, other = 0;  // threads on its two sides
  bool operator==(const BranchThreads&) const = default;
};

/// `lanes`: how many threads executed each of the function's instructions, in a launch that ran to its end; empty: none
/// did. Nothing is counted for this while kernels run: as many threads leave a block of instructions as come to its
/// end, and as many enter it as come to its beginning, which decides all branches of programs without wild jumps.
/// Branches it does not decide are left out.
std::vector<BranchThreads> branch_counts(const BranchTable& table, const BranchTable::Function& function,
                                         std::span<const std::uint64_t> lanes);

}  // namespace cudalabs::vgpu
