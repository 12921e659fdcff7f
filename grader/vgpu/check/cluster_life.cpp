#include "vgpu/check/cluster_life.h"

#include "vgpu/check/race_rules.h"

namespace cudalabs::vgpu {

namespace {

Sighting of_cluster(Verdict verdict, std::uint64_t owner, std::uint64_t address, std::uint32_t bytes) {
  Sighting s;
  s.verdict = verdict;
  s.space = MemorySpace::shared;
  s.owner = owner;
  s.address = address;
  s.bytes = bytes;
  return s;
}

}  // namespace

std::optional<Sighting> access_before_begin(const WarpAccess& a, std::uint64_t block, const BlockOrder& order) {
  LaneMask early = 0;
  for (LaneMask left = a.active; left != 0; left &= left - 1) {
    const OrderedThread& t = order.thread(first_thread(a.warp, left));
    if (t.clock.far.of(a.owner) == nullptr) early |= 1u << first_lane(left);
  }
  if (early == 0) return std::nullopt;
  Sighting s = of_cluster(Verdict::cluster_block_not_begun, a.owner, a.address[first_lane(early)], a.bytes);
  s.at = {a.instruction, {block, first_thread(a.warp, early)}, a.kind, 0};
  s.count = count_lanes(early);
  return s;
}

void add_late_accesses(const AccessHistory& shared, std::uint64_t block, const BlockOrder& order, LaunchLog& log) {
  shared.for_each([&](const PastAccess& old, std::uint64_t at) {
    if (home_of(old.block) == block) return;  // of copies the end of the block is told apart
    const auto known = order.known_at_end(old.block);
    const LaneMask late = lanes_not_before(old, known ? &*known : nullptr, block);
    if (late == 0) return;
    Sighting s = of_cluster(Verdict::cluster_block_ends_early, block, at, 4);
    const std::uint32_t thread = is_copy(old.block) ? old.issuer : first_thread(old.warp, late);
    s.at = {old.instruction, {home_of(old.block), thread}, old.kind, 0};
    s.count = count_lanes(late);
    log.add(s);
  });
}

}  // namespace cudalabs::vgpu
