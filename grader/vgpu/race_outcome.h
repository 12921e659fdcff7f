// What a launch that races may come to, where the usual order of its threads does not show it.
#pragma once

#include <cstdint>

#include "vgpu/exec/launcher.h"

namespace cudalabs::vgpu {

/// Executes a launch again in orders that `seed` chooses, a few times, and keeps an outcome in which memory or the
/// printed text differ from those of the usual order: what a race has a part in is then wrong in the results, too.
///
/// `request` and `result` are those of the launch, which has come to its end in `memory` and can be undone; `accesses`:
/// how many its lanes have made, about. Afterwards memory is as the outcome that was kept, whose result is returned.
/// Where no run came out otherwise and to its end, memory and result are as before.
exec::LaunchResult race_outcome(const exec::LaunchRequest& request, const exec::LaunchResult& result,
                                std::uint64_t accesses, std::uint64_t seed, GlobalMemory& memory,
                                exec::WorkerPool& pool);

}  // namespace cudalabs::vgpu
