// Loops are the ways on which a block leads back to itself; a round of one is such a way without its step back.
#include "vgpu/check/barrier_place.h"

#include <set>
#include <utility>

namespace cudalabs::vgpu {

namespace {

Ways without_steps_back(const Ways& ways, const DepthFirst& walk) {
  const std::set<std::pair<std::uint32_t, std::uint32_t>> backs(walk.backs.begin(), walk.backs.end());
  Ways rounds(ways.size());
  for (std::uint32_t node = 0; node < ways.size(); ++node) {
    for (const std::uint32_t next : ways[node]) {
      if (!backs.contains({node, next})) rounds[node].push_back(next);
    }
  }
  return rounds;
}

std::uint32_t last_of(const ScheduleTable::Block& block) {
  return block.first + block.count - 1;
}

}  // namespace

BarrierPlace barrier_place(const ScheduleTable::Function& function, std::uint32_t block) {
  BarrierPlace place;
  const std::vector<bool> after = reached_from(function.ways, block);
  if (!after[block]) return place;
  const std::vector<bool> before = reached_from(predecessors(function.ways), block);
  const DepthFirst walk = depth_first(function.ways);
  const std::vector<bool> comes = reached_from(predecessors(without_steps_back(function.ways, walk)), block);
  // In the walk's order, so that the last one found is the closest.
  for (const std::uint32_t node : walk.order) {
    if (!after[node] || !before[node]) continue;
    place.loop.push_back(last_of(function.blocks[node]));
    const bool passes_by = std::ranges::any_of(function.ways[node], [&](std::uint32_t next) {
      return next != block && !comes[next] && after[next] && before[next];
    });
    if (node != block && comes[node] && passes_by) place.skipped_at = last_of(function.blocks[node]);
  }
  std::ranges::sort(place.loop);
  return place;
}

}  // namespace cudalabs::vgpu
