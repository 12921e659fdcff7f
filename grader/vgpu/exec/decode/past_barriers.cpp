// The ways out of that part of a kernel where threads meet.
#include "vgpu/exec/decode/past_barriers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/operation_facts.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;

/// What threads meet at, and the operation that tells of ways past the last of it.
struct Meeting {
  bool (*is)(const ir::Operation& operation);
  Opcode leaving;
};

bool is_barrier(const ir::Operation& operation) {
  return ir::facts_of(operation.opcode).maker == ir::Maker::barrier;
}

bool is_shuffle(const ir::Operation& operation) {
  return operation.opcode == Opcode::shuffle;
}

constexpr Meeting kMeetings[] = {{is_barrier, Opcode::leave_barriers}, {is_shuffle, Opcode::leave_shuffles}};

/// The nodes from which one of `goals` can be reached, the goals among them.
std::vector<bool> leading_to(const Ways& ways, std::vector<std::uint32_t> goals) {
  const Ways before = predecessors(ways);
  std::vector<bool> found(ways.size());
  while (!goals.empty()) {
    const std::uint32_t node = goals.back();
    goals.pop_back();
    if (found[node]) continue;
    found[node] = true;
    goals.insert(goals.end(), before[node].begin(), before[node].end());
  }
  return found;
}

/// The first instruction of `block`, if it and what it jumps to do nothing but end the kernel, and the source has it in
/// another line than the end: a `return`.
std::optional<std::uint32_t> early_end(const ir::Function& kernel, std::uint32_t block,
                                       const std::vector<InstructionInfo>& instructions) {
  constexpr int kMostJumps = 8;
  std::optional<std::uint32_t> first;
  for (int jumps = 0; jumps <= kMostJumps; ++jumps) {
    const std::vector<ir::Operation>& operations = kernel.blocks[block].operations;
    if (!first && !tells_of_way(operations.front())) first = operations.front().instruction;
    if (!std::all_of(operations.begin(), operations.end() - 1, does_nothing)) return std::nullopt;
    const ir::Operation& last = operations.back();
    if (last.opcode == Opcode::exit) {
      const InstructionInfo &here = instructions[*first], &end = instructions[last.instruction];
      const bool elsewhere = here.file != end.file || here.line != end.line;
      return here.line != 0 && elsewhere ? first : std::nullopt;
    }
    if (last.opcode != Opcode::jump) return std::nullopt;
    block = last.targets[0];
  }
  return std::nullopt;
}

/// Of a block, or of what the mark of a way leads to.
std::uint32_t first_instruction(const ir::Function& function, std::uint32_t block) {
  const std::vector<ir::Operation>& operations = function.blocks[block].operations;
  const bool mark = tells_of_way(operations.front());
  return (mark ? function.blocks[operations.back().targets[0]].operations : operations).front().instruction;
}

/// Marks the ways of one kernel past what is met at.
class WayMarker {
 public:
  WayMarker(std::vector<ir::Function>& bodies, const std::vector<const ptx::Function*>& functions,
            const std::vector<InstructionInfo>& instructions, const Meeting& meeting)
      : bodies_(bodies), instructions_(instructions), meeting_(meeting) {
    for (const ptx::Function* function : functions) numbers_.emplace(function, numbers_.size());
  }

  void mark() {
    find_meeting_functions();
    if (!meets_[0]) return;
    for (std::uint32_t function = 0; function < bodies_.size(); ++function)
      may_come_.push_back(meets_[function] ? blocks_before(function) : std::vector<bool>());
    const std::vector<bool> goes_on = met_after_calls();
    for (std::uint32_t function = 0; function < bodies_.size(); ++function)
      if (meets_[function] && !goes_on[function]) mark(bodies_[function], may_come_[function]);
  }

 private:
  /// The function that a block ends with a call of, if it is known.
  std::optional<std::uint32_t> called(const ir::Block& block) const {
    const ir::Operation& last = block.operations.back();
    const auto callee = numbers_.find(last.callee);
    return last.opcode == Opcode::call && callee != numbers_.end() ? std::optional(callee->second) : std::nullopt;
  }

  /// By function: whether threads meet in it or in what it calls.
  void find_meeting_functions() {
    Ways calls(bodies_.size());
    std::vector<std::uint32_t> own;
    for (std::uint32_t function = 0; function < bodies_.size(); ++function) {
      for (const ir::Block& block : bodies_[function].blocks) {
        if (meeting_.is(block.operations.back())) own.push_back(function);
        if (const auto callee = called(block)) calls[function].push_back(*callee);
      }
    }
    meets_ = leading_to(calls, std::move(own));
  }

  /// By block: whether a thread that comes to it may meet others in the function.
  std::vector<bool> blocks_before(std::uint32_t function) const {
    std::vector<std::uint32_t> goals;
    const std::vector<ir::Block>& blocks = bodies_[function].blocks;
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      const auto callee = called(blocks[block]);
      if (meeting_.is(blocks[block].operations.back()) || (callee && meets_[*callee])) goals.push_back(block);
    }
    return leading_to(ways_between_blocks(bodies_[function]), std::move(goals));
  }

  /// By function: whether threads may meet after a call of it. Who calls through a pointer is not known.
  std::vector<bool> met_after_calls() const {
    Ways callers(bodies_.size());
    std::vector<std::uint32_t> own;
    bool by_pointer = false;
    for (std::uint32_t function = 0; function < bodies_.size(); ++function) {
      for (const ir::Block& block : bodies_[function].blocks) {
        by_pointer = by_pointer || (block.operations.back().opcode == Opcode::call && !called(block));
        const auto callee = called(block);
        if (!callee || !meets_[*callee]) continue;
        callers[*callee].push_back(function);
        const std::vector<std::uint32_t> next = successors(block);
        if (std::ranges::any_of(next, [&](std::uint32_t after) { return may_come_[function][after]; }))
          own.push_back(*callee);
      }
    }
    for (std::uint32_t function = 1; by_pointer && function < bodies_.size(); ++function) own.push_back(function);
    return leading_to(callers, std::move(own));
  }

  void mark(ir::Function& function, const std::vector<bool>& may_come) const {
    for (std::uint32_t block = 0; block < may_come.size(); ++block) {
      if (!may_come[block] || successors(function.blocks[block]).size() < 2) continue;
      std::map<std::uint32_t, std::uint32_t> marked;  // by where the way led
      for (std::size_t way = 0; way < successors(function.blocks[block]).size(); ++way) {
        const std::uint32_t target = successors(function.blocks[block])[way];
        if (may_come[target]) continue;
        const auto [mark, fresh] = marked.try_emplace(target, static_cast<std::uint32_t>(function.blocks.size()));
        if (fresh) {
          const std::uint32_t branch = function.blocks[block].operations.back().instruction;
          const auto end = early_end(function, target, instructions_);
          const bool of_barriers = meeting_.leaving == Opcode::leave_barriers;
          // Lanes on a way past shuffles are seen where it leads, by who asks where they went on.
          const std::uint32_t at = of_barriers ? branch : end.value_or(first_instruction(function, target));
          const std::uint32_t detail = end.value_or(of_barriers ? ir::kNoEnd : branch);
          ir::Block& added = function.blocks.emplace_back();
          added.operations.push_back({.opcode = meeting_.leaving, .detail = detail, .instruction = at});
          added.operations.push_back({.opcode = Opcode::jump, .targets = {target}, .instruction = at});
        }
        function.blocks[block].operations.back().targets[way] = mark->second;
      }
    }
  }

  std::vector<ir::Function>& bodies_;
  const std::vector<InstructionInfo>& instructions_;
  const Meeting& meeting_;
  std::map<const ptx::Function*, std::uint32_t> numbers_;
  std::vector<bool> meets_;                  // by function: it, or what it calls
  std::vector<std::vector<bool>> may_come_;  // by function that meets, and block
};

}  // namespace

void mark_ways_past_barriers(std::vector<ir::Function>& bodies, const std::vector<const ptx::Function*>& functions,
                             const std::vector<InstructionInfo>& instructions) {
  for (const Meeting& meeting : kMeetings) WayMarker(bodies, functions, instructions, meeting).mark();
}

}  // namespace cudalabs::vgpu::exec
