// A whole number that a kernel computes from its parameters, and from the numbers of the thread, alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vgpu/finding.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// A thread of a launch, and what that gave its kernel.
struct ThreadOfLaunch {
  Index3 grid{}, block_extent{};  // in blocks, in threads
  Index3 block{}, thread{};
  std::vector<std::span<const std::byte>> parameters = {};  // in their order
};

/// One step of a computation on a stack of values, whose bits above their type's are 0.
struct ValueStep {
  enum class Kind : std::uint8_t { constant, parameter, special, unary, binary, multiply_add };

  Kind kind = Kind::constant;
  ptx::Opcode code = ptx::Opcode::unknown;  // of what computes
  ptx::Type type = ptx::Type::none;         // of its operands, or of the parameter
  ptx::Type to = ptx::Type::none;           // of its result
  std::uint64_t bits = 0;                   // a constant, or the parameter's number from 0 on
  std::uint64_t offset = 0;                 // of a parameter: bytes from its beginning on
  std::string_view name = {};               // "%tid", which outlives the step, of a special register
  std::uint32_t axis = 0;
};

using ThreadValue = std::vector<ValueStep>;

/// The bits of the value. Nothing where the steps do not give one: a division by 0, or a parameter that is not there.
std::optional<std::uint64_t> value_of(const ThreadValue& value, const ThreadOfLaunch& thread);

/// Likewise as a signed number of 32 bits.
std::optional<std::int64_t> int_of(const ThreadValue& value, const ThreadOfLaunch& thread);

/// The step for an instruction that computes an integer of integers; its operands but the first are what it takes from
/// the stack, in their order. Nothing of others.
std::optional<ValueStep> step_of(const ptx::Instruction& instruction);
/// "%tid", "%ntid", "%ctaid" or "%nctaid"; nothing of others.
std::optional<ValueStep> step_of(const ptx::SpecialRegister& special);

bool has_sign(ptx::Type type);
/// The types among the suffixes of an instruction: "cvt.s64.s32" has two.
std::vector<ptx::Type> types_of(const ptx::Instruction& instruction);

}  // namespace cudalabs::vgpu
