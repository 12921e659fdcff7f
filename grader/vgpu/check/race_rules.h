// What two accesses are to each other, in whichever order they come.
#pragma once

#include "vgpu/check/access_history.h"
#include "vgpu/check/block_knowledge.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/check/launch_log.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

inline bool strong_enough(const PastAccess& a, const PastAccess& b) {
  if (!a.strong || !b.strong) return false;
  if (home_of(a.block) == home_of(b.block)) return true;
  const MemoryScope least = a.cluster == b.cluster ? MemoryScope::cluster : MemoryScope::device;
  return a.scope >= least && b.scope >= least;
}

inline bool conflict(const PastAccess& a, const PastAccess& b) {
  return (a.writes() || b.writes()) && !strong_enough(a, b);
}

inline bool of_one_warp(const PastAccess& a, const PastAccess& b) {
  return a.block == b.block && a.warp == b.warp;
}

/// The lanes of `old` that one who knows so much of its block is not ordered after, program order aside. Null: nothing
/// is known. `block`: the one that it is in itself.
inline LaneMask lanes_not_before(const PastAccess& old, const BlockKnowledge* known, std::uint64_t block) {
  if (known == nullptr) return old.lanes;
  LaneMask result = known->unknown_after(old.warp, old.lanes, old.epoch);
  // A strong write goes with the fence before it; inside the block only while nothing else was released since.
  if (old.fenced == 0 || (old.block == block && old.fenced != old.epoch)) return result;
  for (LaneMask left = result; left != 0; left &= left - 1) {
    if (known->of(first_thread(old.warp, left)) >= old.fenced) result &= ~(1u << first_lane(left));
  }
  return result;
}

/// What is wrong with two strong accesses that nothing orders. Looking at a flag that others write is what they are
/// for, and so is writing without having looked: a flag, the release of a lock. What nobody waits for may be of any
/// time, so that it is no good as data. And a thread that has counted and looks at the counter once more does not see
/// what it was then: others may have counted in between, and several may find that they were the last.
inline StrongRace strong_race(const PastAccess& a, const PastAccess& b) {
  if (a.kind == AccessKind::load && b.kind == AccessKind::load) return StrongRace::none;
  if (a.writes() && b.writes() && (a.updates || b.updates)) return StrongRace::lost_updates;
  if (of_one_warp(a, b)) return StrongRace::none;
  if ((a.counted_before && b.counts) || (b.counted_before && a.counts)) return StrongRace::counter_read;
  if (a.writes() && b.writes()) return StrongRace::none;
  // Within a block, objects to wait at look at their own words, and what they do with the answer is not seen here.
  const bool atomic = a.kind == AccessKind::atomic || b.kind == AccessKind::atomic;
  if (atomic && a.block == b.block) return StrongRace::none;
  return (a.kind == AccessKind::load ? a : b).use == LoadUse::data ? StrongRace::data_read : StrongRace::none;
}

/// Lanes of one warp that hand on data through `volatile` alone.
inline bool count_on_volatile(const PastAccess& a, const PastAccess& b) {
  if (!strong_enough(a, b) || !of_one_warp(a, b) || a.kind == b.kind) return false;
  if (a.kind == AccessKind::atomic || b.kind == AccessKind::atomic) return false;
  const LoadUse use = (a.kind == AccessKind::load ? a : b).use;
  return use == LoadUse::unknown || use == LoadUse::data;
}

/// An access that conflicts with `old` and is not ordered after it would conflict with `now` too, given that `old` is
/// ordered before `now`: then `old` can be forgotten.
inline bool covers(const PastAccess& now, const PastAccess& old) {
  if (!now.strong) return now.writes() || !old.writes();
  return old.strong && now.scope <= old.scope && (now.writes() || !old.writes());
}

}  // namespace cudalabs::vgpu
