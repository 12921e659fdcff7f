// Shared memory of another block of the cluster is there from the time when that block has begun until it ends.
#pragma once

#include <cstdint>
#include <optional>

#include "vgpu/check/access_history.h"
#include "vgpu/check/block_order.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// An access by threads of `block`, whose order is given, to shared memory of another block that some of them do not
/// know to have begun: they do at the latest behind the first barrier of the cluster.
std::optional<Sighting> access_before_begin(const WarpAccess& access, std::uint64_t block, const BlockOrder& order);

/// `block` has ended: what other blocks have done in its shared memory, and nothing says that it was before.
void add_late_accesses(const AccessHistory& shared, std::uint64_t block, const BlockOrder& order, LaunchLog& log);

}  // namespace cudalabs::vgpu
