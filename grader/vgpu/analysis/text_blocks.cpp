// Function -> blocks and ways.
#include "vgpu/analysis/text_blocks.h"

#include <algorithm>
#include <set>
#include <string>

#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

std::uint32_t size_of(const ptx::Function& function) {
  return static_cast<std::uint32_t>(function.instructions.size());
}

}  // namespace

std::vector<std::uint32_t> block_starts(const ptx::Function& function, Labels labels) {
  std::set<std::uint32_t> starts{0};
  const auto add_target = [&](const std::string& label) {
    if (const auto at = function.labels.find(label); at != function.labels.end()) starts.insert(at->second);
  };
  if (labels == Labels::all) {
    for (const auto& [name, at] : function.labels) starts.insert(at);
  }
  for (std::uint32_t i = 0; i < size_of(function); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    for (const ptx::Operand& operand : instruction.operands) {
      if (const auto* label = std::get_if<ptx::LabelRef>(&operand.value)) add_target(label->name);
    }
    if (ptx::facts_of(instruction.code).ends_block()) starts.insert(i + 1);
  }
  for (const auto& [table, targets] : function.branch_targets) {
    for (const std::string& label : targets) add_target(label);
  }
  starts.erase(size_of(function));
  return size_of(function) == 0 ? std::vector<std::uint32_t>{} : std::vector(starts.begin(), starts.end());
}

std::vector<std::uint32_t> targets_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto place_of = [&](const std::string& label) { return function.labels.find(label)->second; };
  const ptx::Flow flow = ptx::facts_of(instruction.code).flow;
  if (flow == ptx::Flow::jump) return {place_of(std::get<ptx::LabelRef>(instruction.operands.at(0).value).name)};
  if (flow != ptx::Flow::table || instruction.operands.size() < 2) return {};
  const auto* name = std::get_if<ptx::LabelRef>(&instruction.operands[1].value);
  const auto table = name == nullptr ? function.branch_targets.end() : function.branch_targets.find(name->name);
  std::vector<std::uint32_t> places;
  if (table == function.branch_targets.end()) return places;
  for (const std::string& label : table->second) places.push_back(place_of(label));
  return places;
}

bool may_go_on(const ptx::Instruction& instruction) {
  return !ptx::facts_of(instruction.code).ends_block() || instruction.guard.has_value();
}

std::uint32_t block_of(const std::vector<std::uint32_t>& starts, std::uint32_t instruction) {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(starts, instruction) - starts.begin()) - 1;
}

Ways ways_between(const ptx::Function& function, const std::vector<std::uint32_t>& starts) {
  Ways ways;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint32_t end = i + 1 < starts.size() ? starts[i + 1] : size_of(function);
    const ptx::Instruction& last = function.instructions[end - 1];
    std::vector<std::uint32_t>& next = ways.emplace_back();
    const auto add = [&](std::uint32_t place) {
      if (place < size_of(function)) next.push_back(block_of(starts, place));
    };
    for (const std::uint32_t place : targets_of(function, last)) add(place);
    if (may_go_on(last)) add(end);
  }
  return ways;
}

std::vector<bool> always_executed(const ptx::Function& function) {
  const std::vector<std::uint32_t> starts = block_starts(function, Labels::jumped_to);
  const Ways ways = ways_between(function, starts);
  const auto end_of = [&](std::size_t block) {
    return block + 1 < starts.size() ? starts[block + 1] : size_of(function);
  };
  const auto leaves_function = [&](std::size_t block) {
    const std::uint32_t end = end_of(block);
    const ptx::Instruction& last = function.instructions[end - 1];
    const auto outside = [&](std::uint32_t place) { return place >= size_of(function); };
    return ptx::facts_of(last.code).flow == ptx::Flow::end || (may_go_on(last) && outside(end)) ||
           std::ranges::any_of(targets_of(function, last), outside);
  };
  std::vector<bool> leaves;
  for (std::size_t block = 0; block < starts.size(); ++block) leaves.push_back(leaves_function(block));
  const std::vector<bool> certain = on_every_way(ways, leaves);
  std::vector<bool> always(function.instructions.size());
  for (std::size_t block = 0; block < starts.size(); ++block) {
    for (std::uint32_t at = starts[block]; at < end_of(block); ++at)
      always[at] = certain[block] && !function.instructions[at].guard;
  }
  return always;
}

}  // namespace cudalabs::vgpu
