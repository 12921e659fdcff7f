// What an operation reads and writes, and whether it does anything else.
#include "vgpu/exec/decode/effects.h"

#include "vgpu/exec/decode/operation_facts.h"

namespace cudalabs::vgpu::exec {

bool is_pure(const ir::Operation& operation) {
  return ir::facts_of(operation.opcode).effect == ir::Effect::pure && !operation.pinned;
}

std::vector<std::uint32_t> count_definitions(const ir::Function& function) {
  std::vector<std::uint32_t> count(function.registers.size());
  for (const std::uint32_t reg : function.parameters) ++count[reg];
  for (const ir::Block& block : function.blocks) {
    for (const ir::Operation& operation : block.operations) {
      for (const std::uint32_t reg : operation.defs) ++count[reg];
    }
  }
  return count;
}

std::vector<std::uint32_t> count_reads(const ir::Function& function) {
  std::vector<std::uint32_t> count(function.registers.size());
  for (const std::uint32_t reg : function.results) ++count[reg];
  for (const ir::Block& block : function.blocks) {
    for (const ir::Operation& operation : block.operations) {
      for_each_read(operation, [&](std::uint32_t reg) { ++count[reg]; });
    }
  }
  return count;
}

}  // namespace cudalabs::vgpu::exec
