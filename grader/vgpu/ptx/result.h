// Whether an instruction has a result.
#pragma once

#include <variant>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Whether the first operand is what the instruction writes. `wmma` and `mbarrier` are several instructions: the table
/// cannot say it of all of them, but no result is an address.
inline bool has_result(const Instruction& instruction) {
  if (facts_of(instruction.code).result != Result::first) return false;
  return instruction.operands.empty() || !std::holds_alternative<Address>(instruction.operands[0].value);
}

}  // namespace cudalabs::vgpu::ptx
