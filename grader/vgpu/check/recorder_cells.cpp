// An access against those that the bytes remember: which of them no order separates from it, which may be forgotten.
#include "vgpu/check/recorder_block.h"

#include <algorithm>
#include <array>
#include <limits>

#include "vgpu/check/bulk_races.h"
#include "vgpu/check/polled_words.h"
#include "vgpu/check/race_rules.h"

namespace cudalabs::vgpu {

namespace {

/// How many blocks a cell remembers reads (or atomics) of. Blocks are hardly ever ordered with one another, so that two
/// would do for nearly all programs; without a limit, an array that all blocks read would cost memory in proportion to
/// the grid.
constexpr std::size_t kBlocksKept = 4;

}  // namespace

LaneMask RecorderBlock::unordered(const PastAccess& old, const ThreadClock& clock) const {
  return lanes_not_before(old, old.block == block_ ? &clock.near : clock.far.of(old.block), block_);
}

LaneMask RecorderBlock::forgettable(const PastAccess& old, const PastAccess& now, LaneMask unordered_lanes,
                                    LaneMask against, bool same_warp) {
  const LaneMask own = same_warp ? now.lanes : 0;
  // A strong write goes with the fence before it, what lies between the two does not.
  if (now.fenced != 0) return old.epoch < now.fenced ? own : 0;
  return ~unordered_lanes | own | (conflict(old, now) ? against : 0);
}

void RecorderBlock::check(AccessHistory& history, AccessHistory::Cell& cell, const WarpAccess& a, const PastAccess& now,
                          const OrderedThread& t, std::uint64_t at) {
  if (cell.read_by_many && !now.writes()) return;
  cell.read_by_many = false;
  const bool shared = is_of_block_alone(a);
  // No other blocks than those of the cluster come to its shared memory: all of them are remembered.
  const std::size_t kept = a.space == MemorySpace::global ? kBlocksKept : std::numeric_limits<std::size_t>::max();
  bool only_polled = shared && polls(now);
  bool recorded = false, any_writes = now.writes();
  std::array<std::uint64_t, kBlocksKept> blocks{};  // of those that accessed it, the first ones
  std::size_t block_count = 0;
  if (compares_) launch_.guesses.compared(block_, a.warp, now.lanes, owner_of(a), at);
  for (AccessHistory::Index* link = &cell.first; *link != AccessHistory::kEnd;) {
    PastAccess& old = history.node(*link).access;
    history.prefetch(history.node(*link).next);
    const bool same_warp = old.block == now.block && old.warp == now.warp;
    const LaneMask unordered_lanes = unordered(old, t.clock);
    LaneMask against = unordered_lanes;
    // A thread does not race with itself; of several lanes, each is "another" to all but one.
    if (same_warp && (now.lanes & (now.lanes - 1)) == 0) against &= ~now.lanes;
    if (same_warp && against == now.lanes && (against & (against - 1)) == 0) against = 0;
    if (now.counts && old.counted_before && same_warp && (old.lanes & now.lanes) != 0) {
      launch_.counter_reads.counts_after(old.instruction);
    }
    if (compares_ && same_warp && !old.writes()) old.verified |= old.lanes & now.lanes;
    if (!now.strong || now.kind != AccessKind::atomic || (against & ~old.verified) != 0) {
      if (against != 0) judge(a, old, against, now, at);
    }
    if (is_copy(now.block)) look_for_fence(a, old, old.lanes & ~unordered_lanes, now, at);
    if (covers(now, old)) old.lanes &= ~forgettable(old, now, unordered_lanes, against, same_warp);
    // All threads of the block are ordered after what came before its last barrier.
    const bool forgotten = shared && old.epoch < t.clock.near.base() && !is_copy(old.block);
    if (forgotten && !(launch_.copies_in_bulk && old.writes())) old.lanes = 0;
    if (old.lanes == 0) {
      history.remove(*link);
      continue;
    }
    if (old.alike(now)) {
      old.lanes |= now.lanes;
      old.verified &= ~now.lanes;
      recorded = true;
    }
    any_writes = any_writes || old.writes();
    only_polled = only_polled && polls(old);
    bool counted = old.block == block_ || block_count >= std::min(kept, blocks.size());
    for (std::size_t i = 0; i < block_count && !counted; ++i) counted = blocks[i] == old.block;
    if (!counted) blocks[block_count++] = old.block;
    link = &history.node(*link).next;
  }
  cell.only_polled = only_polled;
  const bool enough = block_count == kept;
  if (enough && !any_writes) cell.read_by_many = true;
  const bool may_forget = !now.writes() || now.strong;
  if (!recorded && !(may_forget && enough)) history.push(cell, now);
}

void RecorderBlock::look_for_fence(const WarpAccess& a, const PastAccess& old, LaneMask lanes, const PastAccess& now,
                                   std::uint64_t at) {
  if (a.kind != AccessKind::load || a.space != MemorySpace::shared || !old.writes() || is_copy(old.block)) return;
  const LaneMask unfenced = bulk_.unfenced(old, lanes, bulk_.copy(a.copy));
  if (unfenced != 0) launch_.log.add(unfenced_copy(old, unfenced, now, at, a.bytes));
}

}  // namespace cudalabs::vgpu
