#include "vgpu/analysis/thread_value.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

namespace cudalabs::vgpu {
namespace {

using ptx::Opcode;
using ptx::Type;
using StepKind = ValueStep::Kind;

std::uint32_t bits_of(Type type) {
  return 8 * ptx::size_in_bytes(type);
}

bool is_whole_number(Type type) {
  using enum Type;
  constexpr std::array kTypes{b32, b64, u32, u64, s32, s64, u8, u16, s8, s16, b8, b16};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

std::uint64_t cut(std::uint64_t value, Type type) {
  const std::uint32_t bits = bits_of(type);
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// With the sign's bit in all bits above it, where the type has a sign.
std::uint64_t extended(std::uint64_t value, Type type) {
  const std::uint32_t bits = bits_of(type);
  if (!has_sign(type) || bits >= 64) return cut(value, type);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return (cut(value, type) ^ sign) - sign;
}

std::optional<std::uint64_t> divided(std::uint64_t left, std::uint64_t right, bool with_sign, bool rest) {
  if (right == 0) return std::nullopt;
  if (!with_sign) return rest ? left % right : left / right;
  const auto dividend = static_cast<std::int64_t>(left), divisor = static_cast<std::int64_t>(right);
  if (divisor == -1) return rest ? 0 : 0 - left;  // the smallest number has no positive one
  return static_cast<std::uint64_t>(rest ? dividend % divisor : dividend / divisor);
}

std::uint64_t shifted_right(std::uint64_t value, std::uint64_t by, bool with_sign) {
  if (!with_sign) return by >= 64 ? 0 : value >> by;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min<std::uint64_t>(by, 63));
}

std::uint64_t smaller_or_larger(std::uint64_t left, std::uint64_t right, bool with_sign, bool smaller) {
  const bool less = with_sign ? static_cast<std::int64_t>(left) < static_cast<std::int64_t>(right) : left < right;
  return less == smaller ? left : right;
}

std::optional<std::uint64_t> binary(const ValueStep& step, std::uint64_t left, std::uint64_t right) {
  const bool with_sign = has_sign(step.type);
  const std::uint64_t amount = right;  // of a shift, which is never negative
  left = extended(left, step.type);
  right = extended(right, step.type);
  switch (step.code) {
    case Opcode::add:
      return left + right;
    case Opcode::sub:
      return left - right;
    case Opcode::mul:
      return left * right;
    case Opcode::div:
      return divided(left, right, with_sign, false);
    case Opcode::rem:
      return divided(left, right, with_sign, true);
    case Opcode::min:
      return smaller_or_larger(left, right, with_sign, true);
    case Opcode::max:
      return smaller_or_larger(left, right, with_sign, false);
    case Opcode::and_:
      return left & right;
    case Opcode::or_:
      return left | right;
    case Opcode::xor_:
      return left ^ right;
    case Opcode::shl:
      return amount >= bits_of(step.type) ? 0 : left << amount;
    case Opcode::shr:
      return shifted_right(left, amount, with_sign);
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> parameter(const ValueStep& step, const ThreadOfLaunch& thread) {
  const std::uint32_t bytes = ptx::size_in_bytes(step.type);
  if (step.bits >= thread.parameters.size() || bytes > sizeof(std::uint64_t)) return std::nullopt;
  const std::span<const std::byte> given = thread.parameters[step.bits];
  if (step.offset > given.size() || given.size() - step.offset < bytes) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, given.data() + step.offset, bytes);
  return value;
}

std::uint64_t special(const ValueStep& step, const ThreadOfLaunch& thread) {
  const Index3& numbers = step.name == "%tid"     ? thread.thread
                          : step.name == "%ctaid" ? thread.block
                          : step.name == "%ntid"  ? thread.block_extent
                                                  : thread.grid;
  return numbers[step.axis];
}

/// Takes what it needs from the stack's end.
std::optional<std::uint64_t> computed(const ValueStep& step, std::vector<std::uint64_t>& stack) {
  const auto take = [&] {
    const std::uint64_t value = stack.back();
    stack.pop_back();
    return value;
  };
  const std::size_t needed = step.kind == StepKind::unary ? 1 : step.kind == StepKind::binary ? 2 : 3;
  if (stack.size() < needed) return std::nullopt;
  if (step.kind == StepKind::unary) {
    const std::uint64_t value = extended(take(), step.type);
    return cut(step.code == Opcode::neg ? 0 - value : value, step.to);
  }
  const std::uint64_t added = step.kind == StepKind::multiply_add ? extended(take(), step.to) : 0;
  const std::uint64_t right = take(), left = take();
  const auto result = binary(step, left, right);
  return result ? std::optional(cut(*result + added, step.to)) : std::nullopt;
}

bool is_one_of(Opcode code, std::initializer_list<Opcode> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

bool is_marked(const ptx::Instruction& instruction, std::string_view word) {
  return std::ranges::find(instruction.suffixes, word) != instruction.suffixes.end();
}

Type twice_as_wide(Type type) {
  return type == Type::s32 ? Type::s64 : type == Type::u32 ? Type::u64 : type == Type::s16 ? Type::s32 : Type::u32;
}

}  // namespace

bool has_sign(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

std::vector<Type> types_of(const ptx::Instruction& instruction) {
  std::vector<Type> types;
  for (const std::string& suffix : instruction.suffixes)
    if (const auto type = ptx::type_from_name(suffix)) types.push_back(*type);
  return types;
}

std::optional<std::uint64_t> value_of(const ThreadValue& value, const ThreadOfLaunch& thread) {
  std::vector<std::uint64_t> stack;
  for (const ValueStep& step : value) {
    std::optional<std::uint64_t> result;
    switch (step.kind) {
      case StepKind::constant:
        result = step.bits;
        break;
      case StepKind::parameter:
        result = parameter(step, thread);
        break;
      case StepKind::special:
        result = special(step, thread);
        break;
      default:
        result = computed(step, stack);
    }
    if (!result) return std::nullopt;
    stack.push_back(*result);
  }
  return stack.size() == 1 ? std::optional(stack.front()) : std::nullopt;
}

std::optional<std::int64_t> int_of(const ThreadValue& value, const ThreadOfLaunch& thread) {
  const auto bits = value_of(value, thread);
  return bits ? std::optional(static_cast<std::int64_t>(extended(*bits, Type::s32))) : std::nullopt;
}

std::optional<ValueStep> step_of(const ptx::Instruction& instruction) {
  const std::vector<Type> types = types_of(instruction);
  if (types.empty() || !std::ranges::all_of(types, is_whole_number)) return std::nullopt;
  for (const std::string_view word : {"sat", "hi", "cc", "volatile"})
    if (is_marked(instruction, word)) return std::nullopt;
  ValueStep step{StepKind::binary, instruction.code, types.back(), types.front()};
  const std::size_t operands = instruction.operands.size();
  const bool wide = is_marked(instruction, "wide");
  if (wide) step.to = twice_as_wide(step.type);
  using enum Opcode;
  if (is_one_of(step.code, {mov, neg}) && types.size() == 1 && operands == 2) {
    step.kind = StepKind::unary;
    return step;
  }
  if (step.code == cvt && types.size() == 2 && operands == 2) {
    step.kind = StepKind::unary;
    return step;
  }
  if (types.size() != 1) return std::nullopt;
  if (is_one_of(step.code, {add, sub, mul, div, rem, min, max, and_, or_, xor_, shl, shr}) && operands == 3)
    return step;
  if (step.code == mad && operands == 4) {
    step.kind = StepKind::multiply_add;
    step.code = mul;
    return step;
  }
  return std::nullopt;
}

std::optional<ValueStep> step_of(const ptx::SpecialRegister& special) {
  constexpr std::array<std::string_view, 4> kNames{"%tid", "%ntid", "%ctaid", "%nctaid"};
  const auto name = std::ranges::find(kNames, special.name);
  if (name == kNames.end() || special.component < 'x' || special.component > 'z') return std::nullopt;
  ValueStep step;
  step.kind = StepKind::special;
  step.name = *name;
  step.axis = static_cast<std::uint32_t>(special.component - 'x');
  return step;
}

}  // namespace cudalabs::vgpu
