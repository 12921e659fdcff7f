// Loops that one compiler leaves as they are and another makes several rounds of one of.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/profile/schedule_table.h"

namespace cudalabs::vgpu {

/// How many rounds of a loop the GPU's compiler makes one, as far as the code's own compiler did not; 1 where none.
/// LLVM leaves a loop with shuffles alone when nobody knows its number of rounds, for the rounds that remain would be
/// in a branch; nvcc makes four rounds one, so that four rounds' loads are under way at a time. `blocks`: of the region
/// of a loop, its head first.
std::uint32_t joined_rounds(const ScheduleTable& table, const ScheduleTable::Function& function,
                            const std::vector<std::uint32_t>& blocks);

}  // namespace cudalabs::vgpu
