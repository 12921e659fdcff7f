// Where a barrier stands among loops and conditions: seen in the program's text, not in a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/profile/schedule_table.h"

namespace cudalabs::vgpu {

struct BarrierPlace {
  std::vector<std::uint32_t> loop;          // the last instructions of the blocks in loops around it, ascending
  std::optional<std::uint32_t> skipped_at;  // the closest branch by which threads go round the loop without it

  bool in_loop_with(std::uint32_t branch) const { return std::ranges::binary_search(loop, branch); }
};

/// Of a barrier in the block `block`. Takes time in proportion to the function's text.
BarrierPlace barrier_place(const ScheduleTable::Function& function, std::uint32_t block);

}  // namespace cudalabs::vgpu
