// Numbers that blocks draw from a counter, each for work that no other block is to do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "vgpu/check/access_history.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/check/instruction_roles.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// What one block has drawn. Other warps than the one that drew learn of a number behind the block's next barrier.
class DrawnNumbers {
 public:
  void begin(std::uint32_t warps) {
    known_.assign(warps, 0);
    last_ = 0;
  }

  /// Whether one thread of the block draws a number, and more than a decision comes of it.
  bool note(const WarpAccess& a, const InstructionRole& role) {
    const bool draws = a.kind == AccessKind::atomic && a.space == MemorySpace::global && role.counts &&
                       role.use != LoadUse::none && role.use != LoadUse::question && a.current != nullptr &&
                       count_lanes(a.active) == 1;
    if (!draws || (a.bytes != 4 && a.bytes != 8)) return false;
    std::uint64_t number = 0;
    std::memcpy(&number, a.current + first_lane(a.active) * a.bytes, a.bytes);
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    known_[a.warp] = last_ = static_cast<std::uint32_t>(std::min(number, kMost - 1) + 1);
    return true;
  }

  /// All threads of the block have met.
  void share() { std::ranges::fill(known_, last_); }

  /// As in PastAccess: the number plus 1; 0: the warp knows of none.
  std::uint32_t known_by(std::uint32_t warp) const { return known_[warp]; }

 private:
  std::vector<std::uint32_t> known_;  // by warp
  std::uint32_t last_ = 0;
};

/// One of the two belongs to work that its block had drawn, and the other to the same, which its block began with.
/// `draw`: the instruction that draws.
inline std::optional<DoubledWork> doubled_work(const PastAccess& old, const PastAccess& now, std::uint32_t draw) {
  const bool same = old.instruction == now.instruction && old.warp == now.warp && (old.lanes & now.lanes) != 0;
  const auto repeats = [](const PastAccess& drawn, const PastAccess& begun) {
    return begun.drawn == 0 && drawn.drawn == begun.block + 1;
  };
  if (!same || (!repeats(old, now) && !repeats(now, old))) return std::nullopt;
  return DoubledWork{draw, std::max(old.drawn, now.drawn) - 1};
}

}  // namespace cudalabs::vgpu
