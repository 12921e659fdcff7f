// Natural loops by their back edges, in a depth-first order; a block belongs to the smallest loop around it.
#include "vgpu/profile/loop_regions.h"

#include <algorithm>
#include <map>

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kMostBlocks = 4000;  // beyond, each block is a region of its own

struct Order {
  std::vector<std::uint32_t> blocks;                           // those that can be reached, reverse postorder
  std::vector<std::pair<std::uint32_t, std::uint32_t>> backs;  // edges to a block on the way from the entry
};

Order depth_first(const ScheduleTable::Function& function) {
  enum class State : std::uint8_t { fresh, open, done };
  Order order;
  std::vector<State> states(function.blocks.size(), State::fresh);
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{0, 0}};
  states[0] = State::open;
  while (!path.empty()) {
    auto& [block, way] = path.back();
    const auto& next = function.blocks[block].next;
    if (way == next.size()) {
      states[block] = State::done;
      order.blocks.push_back(block);
      path.pop_back();
      continue;
    }
    const std::uint32_t to = next[way++];
    if (states[to] == State::open) order.backs.emplace_back(block, to);
    if (states[to] != State::fresh) continue;
    states[to] = State::open;
    path.emplace_back(to, 0);
  }
  std::ranges::reverse(order.blocks);
  return order;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> loop_regions(const ScheduleTable::Function& function) {
  const std::size_t blocks = function.blocks.size();
  if (blocks == 0) return {};
  const Order order = depth_first(function);
  if (blocks > kMostBlocks) {
    std::vector<std::vector<std::uint32_t>> each;
    for (const std::uint32_t block : order.blocks) each.push_back({block});
    return each;
  }
  std::vector<std::vector<std::uint32_t>> before(blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    for (const std::uint32_t to : function.blocks[block].next) before[to].push_back(block);
  }
  std::map<std::uint32_t, std::vector<bool>> loops;  // by head: who is in it
  for (const auto& [from, head] : order.backs) {
    std::vector<bool>& inside = loops.try_emplace(head, blocks, false).first->second;
    inside[head] = true;
    std::vector<std::uint32_t> pending{from};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      if (inside[block]) continue;
      inside[block] = true;
      pending.insert(pending.end(), before[block].begin(), before[block].end());
    }
  }
  constexpr std::uint32_t kOutside = ~0u;
  std::vector<std::uint32_t> head_of(blocks, kOutside);
  std::vector<std::size_t> size_of(blocks, blocks + 1);
  for (const auto& [head, inside] : loops) {
    const auto size = static_cast<std::size_t>(std::ranges::count(inside, true));
    for (std::uint32_t block = 0; block < blocks; ++block) {
      if (!inside[block] || size >= size_of[block]) continue;
      head_of[block] = head;
      size_of[block] = size;
    }
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> regions;
  for (const std::uint32_t block : order.blocks) regions[head_of[block]].push_back(block);
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [head, members] : regions) result.push_back(std::move(members));
  return result;
}

}  // namespace cudalabs::vgpu
