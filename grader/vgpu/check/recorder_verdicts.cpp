// Two accesses without an order: whether they are a race, of which kind, and which of the two is to blame.
#include "vgpu/check/recorder_block.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "vgpu/check/bulk_races.h"
#include "vgpu/check/race_rules.h"
#include "vgpu/check/race_verdict.h"

namespace cudalabs::vgpu {
namespace {

/// Whether two lanes access one address.
bool share_element(const WarpAccess& a) {
  std::array<std::uint64_t, kWarpSize> addresses{};
  std::size_t count = 0;
  for (LaneMask left = a.active; left != 0; left &= left - 1) addresses[count++] = a.address[first_lane(left)];
  const std::span<std::uint64_t> used(addresses.data(), count);
  std::ranges::sort(used);
  return std::ranges::adjacent_find(used) != used.end();
}

}  // namespace

void RecorderBlock::judge(const WarpAccess& a, const PastAccess& old, LaneMask against, const PastAccess& now,
                          std::uint64_t at) {
  if (is_copy(old.block) || is_copy(now.block)) {
    const bool first = conflict(old, now) && reported_.add(old, now) == ReportedRaces::News::first;
    if (!first) return;
    Sighting s = bulk_race(old, against, now, order_, at, a);
    if (of_cluster_ && s.space == MemorySpace::shared) s.owner = a.space == MemorySpace::cluster ? a.owner : block_;
    return launch_.log.add(s);
  }
  const bool relies_on_volatile = count_on_volatile(old, now);
  const StrongRace strong = strong_enough(old, now) ? strong_race(old, now) : StrongRace::none;
  if (!conflict(old, now) && !relies_on_volatile && strong == StrongRace::none) return;
  const ReportedRaces::News news = reported_.add(old, now);
  if (news == ReportedRaces::News::none) return;

  const bool within = old.block == block_;
  std::uint32_t lane = first_lane(now.lanes);
  std::uint32_t other = first_lane(against);
  if (within && old.warp == now.warp && lane == other) {
    // Both sides have several lanes, or one has: choose two that differ.
    const LaneMask others = against & (against - 1);
    if (others != 0) {
      other = first_lane(others);
    } else {
      lane = first_lane(now.lanes & (now.lanes - 1));
    }
  }
  Party first{old.instruction, {old.block, old.warp * kWarpSize + other}, old.kind, 0};
  Party second{now.instruction, {block_, now.warp * kWarpSize + lane}, now.kind, 0};
  // Counting is right, looking again is not, wherever the one and the other stand.
  const bool ordered = strong == StrongRace::counter_read ? old.counted_before : stands_at(old, now);
  if (ordered) std::swap(first, second);
  Sighting s;
  s.verdict = race_verdict(a, old, now, relies_on_volatile, lane, other);
  s.strong = strong;
  // Nothing is lost where all write the same, as many threads do that raise one flag.
  if (strong == StrongRace::lost_updates && writes_the_same(s.verdict)) return;
  s.at = second;
  s.other = first;
  const PastAccess& load = now.kind == AccessKind::load ? now : old;
  s.decides = load.kind == AccessKind::load && is_decision(load.use) && (load.lanes & (load.lanes - 1)) != 0;
  s.space = a.space == MemorySpace::cluster ? MemorySpace::shared : a.space;
  if (of_cluster_ && s.space == MemorySpace::shared) s.owner = a.space == MemorySpace::cluster ? a.owner : block_;
  s.address = at;
  s.bytes = a.bytes;
  s.count = news == ReportedRaces::News::first ? count_lanes(now.lanes) : 0;  // else it was counted
  if (launch_.fences_matter && !within && a.space == MemorySpace::global &&
      (strong == StrongRace::none || strong == StrongRace::data_read)) {
    s.fence = assumed_.missing(now.warp * kWarpSize + lane, {old.block, old.warp * kWarpSize + other}, old.assumed);
    if (s.fence) {
      s.fence->first = old.instruction;
      s.fence->second = now.instruction;
    }
  }
  if (s.verdict == Verdict::global_race_between_blocks_equal) s.doubled = doubled_work(old, now, launch_.draw);
  for (LaneMask left = a.active; left != 0 && !s.each_its_own; left &= left - 1) {
    s.each_its_own = a.address[first_lane(left)] != a.address[first_lane(a.active)];
  }
  s.lanes_share = share_element(a);
  if (strong == StrongRace::counter_read)
    return launch_.counter_reads.add((now.counted_before ? now : old).instruction, s);
  if (!launch_.roles.any_compares_and_swaps()) return launch_.log.add(s);
  if (now.kind == AccessKind::load && old.kind == AccessKind::atomic) {
    launch_.guesses.add(block_, now.warp, now.lanes, owner_of(a), s);
  } else if (old.kind == AccessKind::load && now.kind == AccessKind::atomic && launch_.running.contains(old.block)) {
    launch_.guesses.add(old.block, old.warp, against & ~old.verified, owner_of(a), s);
  } else {
    launch_.log.add(s);
  }
}

bool RecorderBlock::stands_at(const PastAccess& old, const PastAccess& now) const {
  const bool atomic_and_write = (old.kind == AccessKind::store && now.kind == AccessKind::atomic) ||
                                (old.kind == AccessKind::atomic && now.kind == AccessKind::store);
  if (old.block != block_ && atomic_and_write) return old.kind == AccessKind::store;
  return comes_first_in_program(now, old);
}

bool RecorderBlock::comes_first_in_program(const PastAccess& now, const PastAccess& old) const {
  if (now.instruction == old.instruction) return false;
  if (old.block == block_) {
    if (phase_accesses_[now.warp].made(old.instruction)) return false;
    if (phase_accesses_[old.warp].in_order(now.instruction, old.instruction)) return true;
  }
  return now.instruction < old.instruction;
}

}  // namespace cudalabs::vgpu
