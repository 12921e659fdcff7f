// Integer arithmetic, logic and shifts that have handlers for whole warps (PTX ISA: "Integer Arithmetic Instructions",
// "Logic and Shift Instructions"). What is done lane by lane is in vgpu/exec/handlers/*_forms.h.
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

bool is_numeric_integer(Type type) {
  switch (type) {
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

bool is_signed(Type type) {
  return type == Type::s16 || type == Type::s32 || type == Type::s64 || type == Type::s8;
}

Type twice_as_wide(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

}  // namespace

void Translator::add_or_sub(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool add = instruction.code == ptx::Opcode::add;
  const Type type = take_type(suffixes);
  if (!is_numeric_integer(type)) return float_binary(instruction, suffixes, add ? Opcode::add : Opcode::sub, type);
  expect_operands(instruction, 3, 3);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  emit(add ? Opcode::add : Opcode::sub, type, {def(operand(instruction, 0), type)}, {a, b});
}

void Translator::mul(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool wide = suffixes.take("wide");
  const bool high = suffixes.take("hi");
  const bool low = suffixes.take("lo");
  const Type type = take_type(suffixes);
  if (!is_numeric_integer(type)) return float_binary(instruction, suffixes, Opcode::mul, type);
  require(wide + high + low == 1, "one of .hi, .lo and .wide");
  expect_operands(instruction, 3, 3);
  const Type result = wide ? twice_as_wide(type) : type;
  require(result != Type::none, "a wide product of this type");
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  emit(wide ? Opcode::mul_wide : (high ? Opcode::mul_hi : Opcode::mul_lo), type, {def(operand(instruction, 0), result)},
       {a, b});
}

void Translator::mad(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool wide = suffixes.take("wide");
  const bool low = suffixes.take("lo");
  if (!wide && !low) return fma(instruction, suffixes);
  const Type type = take_type(suffixes);
  require(is_numeric_integer(type) && wide != low, "one of .hi, .lo and .wide");
  expect_operands(instruction, 4, 4);
  const Type result = wide ? twice_as_wide(type) : type;
  require(result != Type::none, "a wide product of this type");
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  const Value c = use(operand(instruction, 3), result);
  emit(wide ? Opcode::mad_wide : Opcode::mad_lo, type, {def(operand(instruction, 0), result)}, {a, b, c});
}

void Translator::min_or_max(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Opcode opcode = instruction.code == ptx::Opcode::min ? Opcode::min : Opcode::max;
  const Type type = take_type(suffixes);
  if (!is_numeric_integer(type)) return float_binary(instruction, suffixes, opcode, type);
  expect_operands(instruction, 3, 3);
  const bool relu = suffixes.take("relu");
  require(!relu || type == Type::s32, "relu of this type");
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  const std::uint32_t result = def(operand(instruction, 0), type);
  emit(opcode, type, {result}, {a, b});
  if (relu) emit(Opcode::max, type, {result}, {Value::of_register(result), Value::of_bits(0)});
}

void Translator::abs_or_neg(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Suffixes probe = suffixes;
  const Type type = take_type(probe);
  if (!is_numeric_integer(type)) return float_unary(instruction, suffixes);
  suffixes = probe;
  expect_operands(instruction, 2, 2);
  require(is_signed(type), "a signed type");
  const Value a = use(operand(instruction, 1), type);
  emit(instruction.code == ptx::Opcode::abs ? Opcode::abs : Opcode::neg, type, {def(operand(instruction, 0), type)},
       {a});
}

void Translator::logic(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const ptx::Opcode name = instruction.code;
  const Type type = take_type(suffixes);
  const bool unary = name == ptx::Opcode::not_ || name == ptx::Opcode::cnot;
  expect_operands(instruction, unary ? 2 : 3, unary ? 2 : 3);
  const Opcode opcode = name == ptx::Opcode::and_   ? Opcode::bit_and
                        : name == ptx::Opcode::or_  ? Opcode::bit_or
                        : name == ptx::Opcode::xor_ ? Opcode::bit_xor
                        : name == ptx::Opcode::not_ ? Opcode::bit_not
                                                    : Opcode::cnot;
  std::vector<Value> uses;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    const ptx::Operand& source = operand(instruction, i);
    uses.push_back(type == Type::pred ? use_predicate(source) : use(source, type));
  }
  emit(opcode, type, {def(operand(instruction, 0), type)}, std::move(uses));
}

void Translator::shift(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  expect_operands(instruction, 3, 3);
  const Value a = use(operand(instruction, 1), type);
  const Value amount = use(operand(instruction, 2), Type::u32);
  emit(instruction.code == ptx::Opcode::shl ? Opcode::shl : Opcode::shr, type, {def(operand(instruction, 0), type)},
       {a, amount});
}

}  // namespace cudalabs::vgpu::exec
