// The parts of a function that are executed about equally often: iterations of loops, and what is outside of them.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/profile/schedule_table.h"

namespace cudalabs::vgpu {

/// Each block once, in exactly one region; regions and their blocks in an order in which they can be executed.
std::vector<std::vector<std::uint32_t>> loop_regions(const ScheduleTable::Function& function);

}  // namespace cudalabs::vgpu
