// One function's instructions after the other's.
#include "vgpu/exec/kernel_instructions.h"

#include <algorithm>

namespace cudalabs::vgpu {

KernelInstructions::KernelInstructions(std::span<const FunctionInfo> functions, std::span<const std::uint32_t> called) {
  functions_.reserve(called.size());
  for (const std::uint32_t index : called)
    functions_.push_back({.index = index, .first = functions[index].first, .count = functions[index].count});
  std::ranges::sort(functions_, {}, &Function::index);
  for (Function& function : functions_) {
    function.number = size_;
    size_ += function.count;
  }
}

std::uint32_t KernelInstructions::number_among_several(std::uint32_t instruction) const {
  // Of those that begin here only the last has instructions.
  const auto after = std::ranges::upper_bound(functions_, instruction, {}, &Function::first);
  const Function& function = *std::prev(after);
  return function.number + (instruction - function.first);
}

}  // namespace cudalabs::vgpu
