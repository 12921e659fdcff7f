// The shape of a function: which blocks follow which, and an order in which to run and lay them out.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Blocks the last operation of `block` may lead to.
inline const std::vector<std::uint32_t>& successors(const ir::Block& block) {
  return block.operations.back().targets;
}

Ways ways_between_blocks(const ir::Function& function);

/// By block. Of the function as it is emitted.
std::vector<SegmentWays> ways_of(const ir::Function& function);

/// Appends to each block the one it always jumps to, where nothing else leads there, and drops blocks nobody reaches.
void merge_blocks(ir::Function& function);

/// Copies short loop heads that end in a branch to the ends of the loops, so that an iteration is one block. Executions
/// are still counted by instruction. Needs an order; the copies keep it.
void rotate_loops(ir::Function& function);

/// Puts the blocks in an order in which every loop is contiguous and, inside and outside of loops, no block comes
/// before one that leads to it but by a loop's back edge (a weak topological order, Bourdoncle 1993); sets their
/// priorities to it. Lanes that leave a loop early, or skip a branch, wait for the others at the first common block.
void order_blocks(ir::Function& function);

}  // namespace cudalabs::vgpu::exec
