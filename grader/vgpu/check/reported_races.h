// What one access has been found to race with. An access that touches several cells is one access; who else it races
// with matters only when they are further apart, as something else must order them then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vgpu/check/access_history.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

class ReportedRaces {
 public:
  enum class News : std::uint8_t { none, further_apart, first };

  void clear() { reported_.clear(); }

  /// `now` races with `old`: what of it has not been reported of the same instruction?
  News add(const PastAccess& old, const PastAccess& now) {
    const Distance distance = distance_of(old, now);
    const auto same = [&](const Reported& r) { return r.instruction == old.instruction && r.kind == old.kind; };
    const auto known = std::ranges::find_if(reported_, same);
    if (known == reported_.end()) {
      reported_.push_back({old.instruction, old.kind, distance});
      return News::first;
    }
    if (known->distance >= distance) return News::none;
    known->distance = distance;
    return News::further_apart;
  }

 private:
  /// How far apart two threads are: within a warp, within a block, or in different blocks.
  enum class Distance : std::uint8_t { warp, block, grid };
  static Distance distance_of(const PastAccess& a, const PastAccess& b) {
    if (a.block != b.block) return Distance::grid;
    return a.warp != b.warp ? Distance::block : Distance::warp;
  }

  struct Reported {
    std::uint32_t instruction = 0;
    AccessKind kind = AccessKind::load;
    Distance distance = Distance::warp;
  };
  std::vector<Reported> reported_;
};

}  // namespace cudalabs::vgpu
