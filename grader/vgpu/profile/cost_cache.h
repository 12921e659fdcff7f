// The costs of recent accesses, so that inner loops need not count them again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vgpu/profile/access_cost.h"
#include "vgpu/profile/schedule_table.h"

namespace cudalabs::vgpu {

/// An access whose lanes lie to sectors or banks as those of an earlier one did costs the same; in inner loops nearly
/// all do, and comparing is less work than counting. What banks an access begins at makes no difference, so that of
/// shared memory an entry serves a whole loop; of global memory one for every place in a sector.
class CostCache {
 public:
  /// `schedule`: where loads that compilers join are to cost what they cost joined, and passes are wanted; or null.
  explicit CostCache(const ScheduleTable* schedule) : schedule_(schedule) {}

  /// Of global or shared memory.
  AccessCost cost(const WarpAccess& access);

 private:
  struct Entry {
    bool known = false;
    MemorySpace space = MemorySpace::global;
    std::uint32_t instruction = 0;
    std::uint32_t phase = 0;
    std::array<std::uint64_t, kWarpSize> relative{};  // to the first lane's address
    AccessCost cost;
  };

  Passes passes() const { return schedule_ == nullptr ? Passes::unwanted : Passes::wanted; }
  AccessCost counted(const WarpAccess& access);
  std::uint32_t joined_passes(const WarpAccess& access, std::uint32_t offset, std::uint8_t bytes);

  const ScheduleTable* schedule_;
  WordMarks marks_;
  std::vector<Entry> entries_;
};

}  // namespace cudalabs::vgpu
