// The shape of a function: which blocks follow which, and an order in which to run and lay them out.
#include "vgpu/exec/decode/control_flow.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "vgpu/exec/decode/effects.h"

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

std::vector<std::uint32_t> reachable(const ir::Function& function) {
  std::vector<bool> seen(function.blocks.size());
  std::vector<std::uint32_t> found{0};
  seen[0] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::uint32_t next : successors(function.blocks[found[i]])) {
      if (seen[next]) continue;
      seen[next] = true;
      found.push_back(next);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> predecessors(const ir::Function& function) {
  std::vector<std::vector<std::uint32_t>> before(function.blocks.size());
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    for (const std::uint32_t next : successors(function.blocks[block])) before[next].push_back(block);
  }
  return before;
}

std::vector<SegmentWays> ways_of(const ir::Function& function) {
  using ir::Opcode;
  std::vector<SegmentWays> ways(function.blocks.size());
  std::vector<std::uint32_t> open;  // blocks that do nothing but jump on
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    const std::vector<ir::Operation>& operations = function.blocks[block].operations;
    const ir::Operation& last = operations.back();
    ways[block].leads_to = successors(function.blocks[block]);
    ways[block].is_meeting = last.opcode == Opcode::warp_barrier;
    ways[block].calls = last.opcode == Opcode::call;
    if (last.guard != ir::kNoRegister || !std::all_of(operations.begin(), operations.end() - 1, is_pure)) continue;
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
  const std::vector<std::vector<std::uint32_t>> before = predecessors(function);
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

namespace {

// Bourdoncle's algorithm, with a stack of its own: hostile code may nest as deeply as it likes. Strongly connected
// components are found by Tarjan's method; a component's head is taken out and the rest is ordered the same way.
class WeakTopologicalOrder {
 public:
  explicit WeakTopologicalOrder(const ir::Function& function)
      : function_(function), number_(function.blocks.size(), 0) {}

  std::vector<std::uint32_t> order() {
    visit(0);
    std::reverse(reversed_.begin(), reversed_.end());
    return std::move(reversed_);
  }

 private:
  static constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();

  // Visiting a block is a frame; ordering a component's inside visits its head's successors again.
  struct Frame {
    std::uint32_t block = 0;
    std::size_t next = 0;     // successor to look at
    std::uint32_t least = 0;  // smallest number seen
    bool loop = false;
    bool inside = false;                 // ordering the component's inside
    std::vector<std::uint32_t> outer{};  // what was found so far, while the inside is ordered
  };

  void enter(std::uint32_t block) {
    stack_.push_back(block);
    number_[block] = ++counter_;
    frames_.push_back({.block = block, .least = number_[block]});
  }

  void visit(std::uint32_t root) {
    enter(root);
    std::uint32_t result = 0;  // `least` of the frame that just ended
    bool returned = false;
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::vector<std::uint32_t>& next = successors(function_.blocks[frame.block]);
      if (returned) {
        returned = false;
        if (!frame.inside && result <= frame.least) {
          frame.least = result;
          frame.loop = true;
        }
      }
      bool descended = false;
      while (frame.next < next.size()) {
        const std::uint32_t follower = next[frame.next++];
        if (number_[follower] == 0) {
          enter(follower);
          descended = true;
          break;
        }
        if (!frame.inside && number_[follower] != kDone && number_[follower] <= frame.least) {
          frame.least = number_[follower];
          frame.loop = true;
        }
      }
      if (descended) continue;
      if (frame.inside) {
        // The component is ordered: its head, then its inside.
        reversed_.push_back(frame.block);
        std::vector<std::uint32_t> component = std::move(reversed_);
        reversed_ = std::move(frame.outer);
        reversed_.insert(reversed_.end(), component.begin(), component.end());
        result = frame.least;
        frames_.pop_back();
        returned = true;
        continue;
      }
      if (frame.least == number_[frame.block]) {
        number_[frame.block] = kDone;
        std::uint32_t element = stack_.back();
        stack_.pop_back();
        if (frame.loop) {
          while (element != frame.block) {
            number_[element] = 0;
            element = stack_.back();
            stack_.pop_back();
          }
          frame.inside = true;
          frame.next = 0;
          frame.outer = std::exchange(reversed_, {});
          continue;
        }
        reversed_.push_back(frame.block);
      }
      result = frame.least;
      frames_.pop_back();
      returned = true;
    }
  }

  const ir::Function& function_;
  std::vector<std::uint32_t> number_;
  std::uint32_t counter_ = 0;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> reversed_;
};

}  // namespace

void order_blocks(ir::Function& function) {
  // The order takes quadratic time at worst; code so large and so deeply nested keeps the order of its text.
  constexpr std::size_t kMostBlocks = 20000;
  if (function.blocks.size() <= kMostBlocks) renumber(function, WeakTopologicalOrder(function).order());
  for (std::size_t i = 0; i < function.blocks.size(); ++i) {
    function.blocks[i].priority = static_cast<std::uint32_t>(i);
  }
}

}  // namespace cudalabs::vgpu::exec
