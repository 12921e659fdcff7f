#include "vgpu/check/race_verdict.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "vgpu/check/race_rules.h"

namespace cudalabs::vgpu {

namespace {

/// Does the store of `lane` write what the racing store wrote? Of all that it stores, not only of the bytes at hand:
/// the lower halves of two doubles are often equal.
bool same_value(const WarpAccess& a, const PastAccess& old, const PastAccess& now, std::uint32_t lane,
                std::uint32_t other) {
  if (a.stored == nullptr) return false;
  const std::byte* mine = a.stored + lane * a.bytes;
  // Two lanes of one execution of the instruction (lanes are recorded in order): memory holds neither value yet.
  const std::uint64_t begin = std::max(a.address[lane], a.address[other]);
  const std::uint64_t end = std::min(a.address[lane], a.address[other]) + a.bytes;
  const bool same_step = of_one_warp(old, now) && old.instruction == now.instruction && other < lane &&
                         (a.active >> other & 1) != 0 && begin < end;
  if (same_step) {
    const std::byte* its = a.stored + other * a.bytes;
    return std::memcmp(mine + (begin - a.address[lane]), its + (begin - a.address[other]), end - begin) == 0;
  }
  return a.current != nullptr && std::memcmp(mine, a.current + lane * a.bytes, a.bytes) == 0;
}

}  // namespace

Verdict race_verdict(const WarpAccess& a, const PastAccess& old, const PastAccess& now, bool relies_on_volatile,
                     std::uint32_t lane, std::uint32_t other) {
  const bool within = old.block == now.block;
  const bool shared = a.space != MemorySpace::global;
  if (relies_on_volatile) return shared ? Verdict::shared_race_volatile : Verdict::global_race_within_block_volatile;
  const bool stores = old.kind == AccessKind::store && now.kind == AccessKind::store;
  const bool equal = stores && same_value(a, old, now, lane, other);
  if (shared && !within) return equal ? Verdict::cluster_race_equal : Verdict::cluster_race;
  if (shared) return equal ? Verdict::shared_race_equal : Verdict::shared_race;
  if (within) return equal ? Verdict::global_race_within_block_equal : Verdict::global_race_within_block;
  return equal ? Verdict::global_race_between_blocks_equal : Verdict::global_race_between_blocks;
}

bool writes_the_same(Verdict verdict) {
  return verdict == Verdict::shared_race_equal || verdict == Verdict::global_race_within_block_equal ||
         verdict == Verdict::global_race_between_blocks_equal || verdict == Verdict::cluster_race_equal;
}

bool relies_on_volatile_alone(Verdict verdict) {
  return verdict == Verdict::shared_race_volatile || verdict == Verdict::global_race_within_block_volatile;
}

bool has_erroneous_race(const FindingLog& log) {
  return log.any_verdict([](Verdict v) { return !writes_the_same(v) && !relies_on_volatile_alone(v); });
}

}  // namespace cudalabs::vgpu
