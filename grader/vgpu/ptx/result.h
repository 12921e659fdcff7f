// Whether an instruction has a result.
#pragma once

#include <algorithm>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Whether the first operand is what the instruction writes. Of `wmma` the table cannot say it: it is three
/// instructions.
inline bool has_result(const Instruction& instruction) {
  if (facts_of(instruction.code).result != Result::first) return false;
  return instruction.code != Opcode::wmma ||
         std::ranges::find(instruction.suffixes, "store") == instruction.suffixes.end();
}

}  // namespace cudalabs::vgpu::ptx
