// What is wrong with a copy in bulk and what threads, or other copies, do: as sightings.
#pragma once

#include <cstdint>

#include "vgpu/check/access_history.h"
#include "vgpu/check/block_order.h"
#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

/// Nothing orders lanes of `old` and `now`, of which at least one is of a copy. `order`: of the block that `now` is of.
Sighting bulk_race(const PastAccess& old, LaneMask against, const PastAccess& now, const BlockOrder& order,
                   std::uint64_t at, const WarpAccess& access);
/// Lanes have stored what the copy `now` reads, and no fence lets it see that.
Sighting unfenced_copy(const PastAccess& store, LaneMask lanes, const PastAccess& now, std::uint64_t at,
                       std::uint32_t bytes);
Sighting unfinished_copy(const BulkUnfinished& end, std::uint64_t block);

}  // namespace cudalabs::vgpu
