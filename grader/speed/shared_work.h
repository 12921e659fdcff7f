// Work that blocks share out as they go: the first block of a sample finds what was meant for all of the grid.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vgpu/profile/launch_counters.h"

namespace cudalabs::speed {

/// Only some blocks of a launch were executed, and they looked at what atomics on global memory answer: they may draw
/// their work from a counter or a queue.
bool may_share_work(std::span<const vgpu::LaunchCounters> launches);

/// Counters of whole launches, from those of two samples of their blocks, `fewer` of fewer blocks. Where a launch's
/// blocks share out their work, a sample of them does all of it, however few they are: what two samples of different
/// sizes have in common is shared, and what they differ by is each block's own. Other launches stay as they are in
/// `launches`. Nothing where the two are not the same launches: what the program does then depends on the sample.
std::optional<std::vector<vgpu::LaunchCounters>> with_shared_work(std::vector<vgpu::LaunchCounters> launches,
                                                                  std::span<const vgpu::LaunchCounters> fewer);

}  // namespace cudalabs::speed
