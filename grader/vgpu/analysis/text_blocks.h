// The blocks of a function's text, and where threads go from one.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// Where blocks begin, but for the entry and what comes after a jump or an end.
enum class Labels : std::uint8_t {
  all,       // at every label
  jumped_to  // at those that something names: debug information has labels wherever an inlined function begins or ends
};

/// The first instruction of each block, ascending; nothing for a function without instructions.
std::vector<std::uint32_t> block_starts(const ptx::Function& function, Labels labels);

/// Where a jump or a jump table leads, in the table's order; nothing for other instructions. A place may be that behind
/// the last instruction: the function's end.
std::vector<std::uint32_t> targets_of(const ptx::Function& function, const ptx::Instruction& instruction);

/// Whether threads may go on right behind the instruction.
bool may_go_on(const ptx::Instruction& instruction);

/// Which of the blocks an instruction belongs to.
std::uint32_t block_of(const std::vector<std::uint32_t>& starts, std::uint32_t instruction);

/// Between the blocks that begin at `starts`; jumps first. Ways out of the function are left out.
Ways ways_between(const ptx::Function& function, const std::vector<std::uint32_t>& starts);

/// By instruction: whether every thread that enters the function and comes to its end executes it.
std::vector<bool> always_executed(const ptx::Function& function);

}  // namespace cudalabs::vgpu
