#include "vgpu/check/bulk_races.h"

#include <algorithm>

#include "vgpu/check/bulk_order.h"
#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

namespace {

Party party_of(const PastAccess& access, LaneMask lanes) {
  const bool copy = is_copy(access.block);
  const std::uint32_t thread = copy ? access.issuer : first_thread(access.warp, lanes);
  Party party{access.instruction, {home_of(access.block), thread}, access.kind, 0};
  party.copies = copy;
  return party;
}

/// The thread's access is known to come after the copy has begun.
bool comes_after_begin(const PastAccess& access, LaneMask lanes, const PastAccess& copy, const BlockOrder& order,
                       bool is_now) {
  const std::uint64_t home = home_of(copy.block);
  const std::uint32_t thread = first_thread(access.warp, lanes);
  if (access.block == home && thread == copy.issuer) return access.epoch + 1 >= copy.epoch;
  if (!is_now) return access.epoch >= copy.epoch;
  const OrderedThread& t = order.thread(thread);
  const BlockKnowledge* known = access.block == home ? &t.clock.near : t.clock.far.of(home);
  return known != nullptr && known->of(copy.issuer) >= copy.epoch;
}

}  // namespace

Sighting bulk_race(const PastAccess& old, LaneMask against, const PastAccess& now, const BlockOrder& order,
                   std::uint64_t at, const WarpAccess& access) {
  Sighting s;
  s.verdict = Verdict::bulk_race;
  const bool now_copies = is_copy(now.block), old_copies = is_copy(old.block);
  const PastAccess& copy = now_copies ? now : old;
  const PastAccess& other = now_copies ? old : now;
  const LaneMask lanes = now_copies ? against : now.lanes;
  s.at = party_of(other, lanes);
  s.other = party_of(copy, copy.lanes);
  if (now_copies && old_copies) {
    s.way_of_copy = CopyRace::two_copies;
    s.at = party_of(now, now.lanes);
    s.other = party_of(old, against);
  } else {
    s.way_of_copy =
        comes_after_begin(other, lanes, copy, order, !now_copies) ? CopyRace::after_begin : CopyRace::unordered;
  }
  s.space = access.space == MemorySpace::cluster ? MemorySpace::shared : access.space;
  s.address = at;
  s.bytes = 4;
  return s;
}

Sighting unfenced_copy(const PastAccess& store, LaneMask lanes, const PastAccess& now, std::uint64_t at,
                       std::uint32_t bytes) {
  Sighting s;
  s.verdict = Verdict::bulk_unfenced;
  s.at = party_of(now, now.lanes);
  s.other = party_of(store, lanes);
  s.space = MemorySpace::shared;
  s.address = at;
  s.bytes = std::min(bytes, 4u);
  return s;
}

Sighting unfinished_copy(const BulkUnfinished& end, std::uint64_t block) {
  Sighting s;
  s.verdict = Verdict::bulk_unfinished;
  s.at = {end.instruction, {block, first_thread(end.warp, 1u << end.lane)}, AccessKind::load, 0};
  s.at.access = end.reads ? AccessKind::load : AccessKind::store;
  s.at.copies = true;
  s.space = MemorySpace::shared;
  s.address = end.offset;
  s.bytes = static_cast<std::uint32_t>(end.bytes);
  return s;
}

}  // namespace cudalabs::vgpu
