// Whether the values that a launch reads where nobody has written change what it does.
#pragma once

#include <cstdint>
#include <set>

#include "vgpu/exec/launcher.h"

namespace cudalabs::vgpu {

/// Executes a launch again with other values in shared memory when a block begins, and in what nobody has written of
/// `pages` of global memory, which are numbers of pages from its beginning on: what then writes, prints or ends
/// otherwise depended on them. What is read, and then overwritten or thrown away, is no mistake.
///
/// The launch, as `request` describes it, has just come to its end in `memory` and can be undone; afterwards memory
/// holds what it held before the call.
bool unwritten_values_matter(const std::set<std::uint64_t>& pages, const exec::LaunchRequest& request,
                             GlobalMemory& memory, exec::WorkerPool& pool);

}  // namespace cudalabs::vgpu
