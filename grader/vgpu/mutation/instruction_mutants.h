// The changes of one instruction, kind by kind. Each is appended to `to`, without its place.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/mutation/function_values.h"
#include "vgpu/mutation/mutation.h"

namespace cudalabs::vgpu {

/// A comparison with another relation.
void add_comparisons(const ptx::Instruction& instruction, std::vector<Mutation>& to);
/// A comparison of whole numbers that is always true, or never.
void add_outcomes(const ptx::Instruction& instruction, std::vector<Mutation>& to);
/// A branch, or a choice of two values, under the opposite condition.
void add_conditions(const ptx::Instruction& instruction, std::vector<Mutation>& to);
/// Another operation on the same operands, or another rounding.
void add_operations(const ptx::Instruction& instruction, std::vector<Mutation>& to);
/// Other numbers in the place of those in the text.
void add_constants(const ptx::Instruction& instruction, std::vector<Mutation>& to);
/// Another of the numbers that a launch gives its threads.
void add_builtins(const ptx::Instruction& instruction, std::vector<Mutation>& to);
/// Along the other axis, one of these numbers that the instruction computes with and that is read once for several
/// uses: "threadIdx.y * blockDim.y" beside "blockDim.x * blockDim.y". It is instruction `number` of the function.
void add_axes(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
              std::vector<Mutation>& to);
/// Another parameter of the same type.
void add_parameters(const ptx::Instruction& instruction, const ptx::Function& function, std::vector<Mutation>& to);
/// A sum in the place of what it stores, or of what becomes of a variable. It is instruction `number` of the function.
void add_accumulations(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                       std::vector<Mutation>& to);
/// A variable that it reads, a whole number, one more or one less. It is instruction `number` of the function.
void add_offsets(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                 std::vector<Mutation>& to);
/// A whole number that it reads, multiplied by a small number or by one that the launch gives. It is instruction
/// `number` of the function.
void add_factors(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                 std::vector<Mutation>& to);
/// Other variables, 0 and 1 in the place of those that it reads. It is instruction `number` of the function.
/// `variables`: as variables_among() has them.
void add_values(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                const std::vector<std::uint32_t>& variables, std::vector<Mutation>& to);

}  // namespace cudalabs::vgpu
