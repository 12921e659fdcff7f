// Instructions whose meaning is one function of their operands: a line each, from which the reference machine, random
// programs and tests know them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "operation.h"

namespace cudalabs::reference {

struct Oracle {
  std::string form;      // opcode and suffixes, as they are written
  std::string operands;  // a letter for each, the result first, as in forms.h
  std::uint64_t (*compute)(const Arguments& arguments);
  bool approximate = false;  // its result is not the same on every GPU
  bool portable = true;      // programs that GPUs have been recorded with are made of it, too: see portable_forms()
};

std::span<const Oracle> oracles();
/// Null: none.
const Oracle* find_oracle(const vgpu::ptx::Instruction& instruction);
Signature signature_of(const Oracle& oracle);

}  // namespace cudalabs::reference
