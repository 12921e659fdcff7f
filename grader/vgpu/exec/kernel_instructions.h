// The instructions that a launch of a kernel may execute, as numbers without gaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vgpu/exec/program.h"

namespace cudalabs::vgpu {

/// The instructions of a kernel and of all that it may call, numbered from 0 in the program's order: what keeps
/// something for each of them costs by what is launched, not by how large the module is.
class KernelInstructions {
 public:
  struct Function {
    std::uint32_t index = 0;             // into the program's functions
    std::uint32_t first = 0, count = 0;  // its instructions in the program
    std::uint32_t number = 0;            // of its first instruction
  };

  KernelInstructions(const Program& program, const KernelInfo& kernel)
      : KernelInstructions(program.functions(), kernel.functions) {}
  /// `called`: indices into `functions`, in any order.
  KernelInstructions(std::span<const FunctionInfo> functions, std::span<const std::uint32_t> called);

  std::uint32_t size() const { return size_; }
  /// The number of an instruction of the program, which one of the functions has.
  std::uint32_t number(std::uint32_t instruction) const {
    if (functions_.size() == 1) return instruction - functions_.front().first;
    return number_among_several(instruction);
  }
  std::span<const Function> functions() const { return functions_; }  // in the program's order

 private:
  std::uint32_t number_among_several(std::uint32_t instruction) const;

  std::vector<Function> functions_;
  std::uint32_t size_ = 0;
};

}  // namespace cudalabs::vgpu
