// Loops are the ways on which a block leads back to itself; a round of one is such a way without its step back.
#include "vgpu/check/barrier_place.h"

#include <set>
#include <utility>

namespace cudalabs::vgpu {

namespace {

using Steps = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Ways without(const Steps& backs, const Ways& ways) {
  Ways rounds(ways.size());
  for (std::uint32_t node = 0; node < ways.size(); ++node) {
    for (const std::uint32_t next : ways[node]) {
      if (!backs.contains({node, next})) rounds[node].push_back(next);
    }
  }
  return rounds;
}

/// By node: whether a round that comes there comes to `block` as well, by whichever rounds of loops that do not have
/// the block in them.
std::vector<bool> comes_in_round(const Ways& ways, const DepthFirst& walk, std::uint32_t block) {
  const Steps backs(walk.backs.begin(), walk.backs.end());
  const Ways forward = without(backs, ways);
  const std::vector<bool> before = reached_from(predecessors(forward), block), after = reached_from(forward, block);
  Steps around;
  for (const auto& [last, head] : backs) {
    if ((before[head] || head == block) && (after[last] || last == block)) around.insert({last, head});
  }
  return reached_from(predecessors(without(around, ways)), block);
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
  const std::vector<bool> comes = comes_in_round(function.ways, walk, block);
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
