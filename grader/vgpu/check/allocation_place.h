// Where memory was allocated that a kernel accesses behind its end: device code does not know, but the host does.
#pragma once

#include <cstdint>
#include <utility>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

enum class AllocationPlace : std::uint8_t {
  none,   // the finding has no such place
  where,  // of the finding: the allocation is to blame, and the access is the other place
  other   // the other place: the access is to blame
};

/// Which place of a finding is that of the call that allocated the memory. The virtual GPU leaves it empty.
inline AllocationPlace allocation_place(const Finding& finding) {
  if (!finding.other) return AllocationPlace::none;
  switch (finding.other->role) {
    case PlaceRole::access:
      return AllocationPlace::where;
    case PlaceRole::allocation:
      return AllocationPlace::other;
    default:
      return AllocationPlace::none;
  }
}

/// For a finding whose allocation nobody can place: it is about the access alone.
inline void forget_allocation_place(Finding& finding) {
  if (allocation_place(finding) == AllocationPlace::where) {
    finding.where = std::move(finding.other->place);
    finding.block = finding.other->block;
    finding.thread = finding.other->thread;
  }
  if (allocation_place(finding) != AllocationPlace::none) finding.other.reset();
}

}  // namespace cudalabs::vgpu
