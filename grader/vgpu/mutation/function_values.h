// What a function's registers are, for those who put one in another's place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

struct FunctionValue {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t first_definition = kNone;  // instruction
  std::uint32_t definitions = 0, uses = 0;
  std::optional<std::uint32_t> parameter;  // of the kernel, that it holds
  std::string builtin;                     // "threadIdx.x", that it holds
  ptx::Location where;                     // of its first definition
  /// What people have a name for: it is given, it changes, or it is used several times.
  bool is_variable() const { return parameter || !builtin.empty() || definitions > 1 || uses > 1; }
};

/// By register.
std::vector<FunctionValue> values_of(const ptx::Function& function);

/// The registers that are variables, the first ones: so many are looked at when another is sought for one.
std::vector<std::uint32_t> variables_among(const std::vector<FunctionValue>& values);

/// "threadIdx.x" of "%tid" and 'x'; empty for those that CUDA C++ has no such name for.
std::string builtin_name(const ptx::SpecialRegister& special);

/// The parameter that the instruction loads whole, by its number.
std::optional<std::uint32_t> loaded_parameter(const ptx::Instruction& instruction, const ptx::Function& function);

}  // namespace cudalabs::vgpu
