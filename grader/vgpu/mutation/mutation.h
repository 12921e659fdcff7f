// Small changes of device code, one at a time, as mutation testing makes them. A program whose result becomes right by
// one of them has its mistake where that is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/mutation/mutation_kind.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// One instruction in the place of another, and perhaps others before it.
struct InstructionChange {
  std::uint32_t function = 0, instruction = 0;  // in the module, and in the function
  ptx::Instruction mutant;
  std::vector<ptx::Instruction> before;  // they write to registers of their own
  std::vector<ptx::Register> registers;  // that are added to the function's for them
};

/// One change of the source: of all functions that were made of it, as of a template, and perhaps of all copies within
/// a function, as of one that was inlined.
struct Mutation {
  std::vector<InstructionChange> changes;  // by function and instruction
  MutationKind kind = MutationKind::comparison;
  /// Of a comparison its relation as PTX has it ("lt"), also where it becomes its opposite; where it has the same
  /// outcome whatever it compares, that takes its place, "true" or "false"; of a constant its value; of a builtin its
  /// name in CUDA C++
  /// ("threadIdx.x"); of an operation its opcode, or its rounding ("rzi"). Of a value: a number, a name in CUDA C++, or
  /// empty; the replacement of a factor is what it is multiplied by,
  /// of an offset "+ 1" or "- 1".
  std::string original, replacement;
  /// Of values and parameters: the parameters of the kernel that they are, from 0 on.
  std::optional<std::uint32_t> original_parameter, replacement_parameter;
  /// Of values: where they are computed; line 0: not known, or nowhere.
  ptx::Location original_place, replacement_place;
};

/// Where an instruction is to be changed.
using WantedPlace = std::function<bool(const ptx::Location&)>;

/// Those of a module's instructions at `wanted` places, the likelier ones first; at most `most`. The same for the same
/// module. The text may be hostile: takes time with its length.
std::vector<Mutation> mutations_of(const ptx::Module& module, const WantedPlace& wanted, std::size_t most);

/// Makes the change in the module that it was found in, or a copy of it.
void apply(const Mutation& mutation, ptx::Module& module);

}  // namespace cudalabs::vgpu
