// The shape of a function: which blocks follow which, and an order in which to run and lay them out.
#include "vgpu/exec/decode/control_flow.h"

#include <algorithm>
#include <utility>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/handlers/select_control.h"

namespace cudalabs::vgpu::exec {

namespace {

// Keeps the blocks named by `order`, in that order.
void renumber(ir::Function& function, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> place(function.blocks.size(), 0);
  std::vector<ir::Block> blocks;
  blocks.reserve(order.size());
  for (const std::uint32_t block : order) {
    place[block] = static_cast<std::uint32_t>(blocks.size());
    blocks.push_back(std::move(function.blocks[block]));
  }
  for (ir::Block& block : blocks) {
    for (std::uint32_t& target : block.operations.back().targets) target = place[target];
  }
  function.blocks = std::move(blocks);
}

// The entry and what can be reached from it.
std::vector<std::uint32_t> reachable(const ir::Function& function) {
  const std::vector<bool> reached = reached_from(ways_between_blocks(function), 0);
  std::vector<std::uint32_t> found{0};
  for (std::uint32_t block = 1; block < reached.size(); ++block) {
    if (reached[block]) found.push_back(block);
  }
  return found;
}

}  // namespace

Ways ways_between_blocks(const ir::Function& function) {
  Ways ways;
  for (const ir::Block& block : function.blocks) ways.push_back(successors(block));
  return ways;
}

std::vector<SegmentWays> ways_of(const ir::Function& function) {
  using ir::Opcode;
  std::vector<SegmentWays> ways(function.blocks.size());
  std::vector<std::uint32_t> open;  // blocks that do nothing but jump on
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    const std::vector<ir::Operation>& operations = function.blocks[block].operations;
    const ir::Operation& last = operations.back();
    ways[block].leads_to = successors(function.blocks[block]);
    ways[block].meets = meeting_kind(last);
    ways[block].calls = last.opcode == Opcode::call;
    if (last.guard != ir::kNoRegister || !std::all_of(operations.begin(), operations.end() - 1, does_nothing)) continue;
    ways[block].only_ends = last.opcode == Opcode::exit || last.opcode == Opcode::ret;
    if (last.opcode == Opcode::jump) open.push_back(block);
  }
  for (bool found = true; found;) {
    found = false;
    for (const std::uint32_t block : open) {
      if (ways[block].only_ends || !ways[ways[block].leads_to[0]].only_ends) continue;
      ways[block].only_ends = found = true;
    }
  }
  return ways;
}

void merge_blocks(ir::Function& function) {
  renumber(function, reachable(function));
  const Ways before = predecessors(ways_between_blocks(function));
  std::vector<bool> gone(function.blocks.size());
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    if (gone[block]) continue;
    ir::Block& head = function.blocks[block];
    while (head.operations.back().opcode == ir::Opcode::jump) {
      const std::uint32_t next = head.operations.back().targets[0];
      if (next == 0 || next == block || before[next].size() != 1) break;
      ir::Block& tail = function.blocks[next];
      head.operations.pop_back();
      std::move(tail.operations.begin(), tail.operations.end(), std::back_inserter(head.operations));
      head.counted.insert(head.counted.end(), tail.counted.begin(), tail.counted.end());
      tail.operations.assign(1, ir::Operation{.opcode = ir::Opcode::exit});
      gone[next] = true;
    }
  }
  renumber(function, reachable(function));
}

void rotate_loops(ir::Function& function) {
  constexpr std::size_t kLongestHead = 12;  // operations
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    const ir::Operation& last = function.blocks[block].operations.back();
    if (last.opcode != ir::Opcode::jump) continue;
    const std::uint32_t head = last.targets[0];
    if (head > block) continue;  // not back
    const ir::Block copy = function.blocks[head];
    const ir::Opcode end = copy.operations.back().opcode;
    if (head == block || copy.operations.size() > kLongestHead ||
        (end != ir::Opcode::branch && end != ir::Opcode::branch_compare)) {
      continue;
    }
    ir::Block& loop = function.blocks[block];
    loop.operations.pop_back();
    loop.operations.insert(loop.operations.end(), copy.operations.begin(), copy.operations.end());
    loop.counted.insert(loop.counted.end(), copy.counted.begin(), copy.counted.end());
  }
}

void order_blocks(ir::Function& function) {
  // The order takes quadratic time at worst; code so large and so deeply nested keeps the order of its text.
  constexpr std::size_t kMostBlocks = 20000;
  if (function.blocks.size() <= kMostBlocks) renumber(function, weak_topological_order(ways_between_blocks(function)));
  for (std::size_t i = 0; i < function.blocks.size(); ++i) {
    function.blocks[i].priority = static_cast<std::uint32_t>(i);
  }
}

}  // namespace cudalabs::vgpu::exec
