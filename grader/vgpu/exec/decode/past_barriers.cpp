// The ways out of that part of a kernel where barriers are.
#include "vgpu/exec/decode/past_barriers.h"

#include <algorithm>
#include <cstddef>
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

bool is_barrier(const ir::Operation& operation) {
  return ir::facts_of(operation.opcode).maker == ir::Maker::barrier;
}

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

/// By function: whether a barrier is in it or in what it calls.
std::vector<bool> with_barriers(const std::vector<ir::Function>& bodies,
                                const std::map<const ptx::Function*, std::uint32_t>& numbers) {
  Ways calls(bodies.size());
  std::vector<std::uint32_t> own;
  for (std::uint32_t function = 0; function < bodies.size(); ++function) {
    for (const ir::Block& block : bodies[function].blocks) {
      const ir::Operation& last = block.operations.back();
      if (is_barrier(last)) own.push_back(function);
      const auto callee = numbers.find(last.callee);
      if (last.opcode == Opcode::call && callee != numbers.end()) calls[function].push_back(callee->second);
    }
  }
  return leading_to(calls, std::move(own));
}

/// The first instruction of `block`, if it and what it jumps to do nothing but end the kernel, and the source has it in
/// another line than the end: a `return`.
std::optional<std::uint32_t> early_end(const ir::Function& kernel, std::uint32_t block,
                                       const std::vector<InstructionInfo>& instructions) {
  constexpr int kMostJumps = 8;
  const std::uint32_t first = kernel.blocks[block].operations.front().instruction;
  for (int jumps = 0; jumps <= kMostJumps; ++jumps) {
    const std::vector<ir::Operation>& operations = kernel.blocks[block].operations;
    if (!std::all_of(operations.begin(), operations.end() - 1, is_pure)) return std::nullopt;
    const ir::Operation& last = operations.back();
    if (last.opcode == Opcode::exit) {
      const InstructionInfo &here = instructions[first], &end = instructions[last.instruction];
      const bool elsewhere = here.file != end.file || here.line != end.line;
      return here.line != 0 && elsewhere ? std::optional(first) : std::nullopt;
    }
    if (last.opcode != Opcode::jump) return std::nullopt;
    block = last.targets[0];
  }
  return std::nullopt;
}

}  // namespace

void mark_ways_past_barriers(std::vector<ir::Function>& bodies, const std::vector<const ptx::Function*>& functions,
                             const std::vector<InstructionInfo>& instructions) {
  std::map<const ptx::Function*, std::uint32_t> numbers;
  for (const ptx::Function* function : functions) numbers.emplace(function, numbers.size());
  const std::vector<bool> has_barriers = with_barriers(bodies, numbers);
  if (!has_barriers[0]) return;

  ir::Function& kernel = bodies[0];
  std::vector<std::uint32_t> goals;
  for (std::uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    const ir::Operation& last = kernel.blocks[block].operations.back();
    const auto callee = numbers.find(last.callee);
    const bool calls_one = last.opcode == Opcode::call && callee != numbers.end() && has_barriers[callee->second];
    if (is_barrier(last) || calls_one) goals.push_back(block);
  }
  const std::vector<bool> may_come = leading_to(ways_between_blocks(kernel), std::move(goals));
  for (std::uint32_t block = 0; block < may_come.size(); ++block) {
    if (!may_come[block] || successors(kernel.blocks[block]).size() < 2) continue;
    std::map<std::uint32_t, std::uint32_t> marked;  // by where the way led
    for (std::size_t way = 0; way < successors(kernel.blocks[block]).size(); ++way) {
      const std::uint32_t target = successors(kernel.blocks[block])[way];
      if (may_come[target]) continue;
      const auto [mark, fresh] = marked.try_emplace(target, static_cast<std::uint32_t>(kernel.blocks.size()));
      if (fresh) {
        const std::uint32_t branch = kernel.blocks[block].operations.back().instruction;
        const std::uint32_t end = early_end(kernel, target, instructions).value_or(ir::kNoEnd);
        ir::Block& added = kernel.blocks.emplace_back();
        added.operations.push_back({.opcode = Opcode::leave_barriers, .detail = end, .instruction = branch});
        added.operations.push_back({.opcode = Opcode::jump, .targets = {target}, .instruction = branch});
      }
      kernel.blocks[block].operations.back().targets[way] = mark->second;
    }
  }
}

}  // namespace cudalabs::vgpu::exec
