// Whether the values that shuffles read from inactive lanes change what a launch does.
#pragma once

#include <cstdint>
#include <set>

#include "vgpu/exec/launcher.h"

namespace cudalabs::vgpu {

/// Executes a launch again with other values there: what then writes, prints or ends otherwise depended on them. A
/// value that nobody looks at, as in the lanes of a tree that are beyond its top, is no mistake.
///
/// The launch, as `request` describes it, has just been executed in `memory`, has come to no limit, and can be undone;
/// afterwards memory holds what it held before the call. Returns those of `shuffles` that matter.
std::set<std::uint32_t> shuffles_that_matter(const std::set<std::uint32_t>& shuffles,
                                             const exec::LaunchRequest& request, GlobalMemory& memory,
                                             exec::WorkerPool& pool);

}  // namespace cudalabs::vgpu
