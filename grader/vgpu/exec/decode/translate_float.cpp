// Floating-point arithmetic, single, double, half and bfloat16 (PTX ISA: "Floating-Point Instructions",
// "Half Precision Floating-Point Instructions").
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Rounding;
using ir::Type;
using ir::Value;

namespace {

bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}
bool is_float(Type type) {
  return type == Type::f32 || type == Type::f64 || is_half(type);
}

Opcode float_unary_opcode(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::abs:
      return Opcode::abs;
    case ptx::Opcode::neg:
      return Opcode::neg;
    case ptx::Opcode::rcp:
      return Opcode::rcp;
    case ptx::Opcode::sqrt:
      return Opcode::sqrt;
    case ptx::Opcode::rsqrt:
      return Opcode::rsqrt;
    case ptx::Opcode::ex2:
      return Opcode::ex2;
    default:
      return Opcode::tanh;
  }
}

}  // namespace

void Translator::float_binary(const ptx::Instruction& instruction, Suffixes& suffixes, Opcode opcode, Type type) {
  require(is_float(type), "this type");
  expect_operands(instruction, 3, 3);
  Operation operation{.opcode = opcode, .type = type};
  operation.rounding = take_rounding(suffixes).value_or(Rounding::nearest_even);
  require(operation.rounding <= Rounding::up, "this rounding");
  require(operation.rounding == Rounding::nearest_even || !is_half(type), "this rounding");
  operation.ftz = suffixes.take("ftz");
  operation.saturate = suffixes.take("sat");
  if (opcode == Opcode::min || opcode == Opcode::max) {
    operation.full = suffixes.take("NaN");  // a NaN operand makes the result NaN
    if (suffixes.take("xorsign")) {
      require(suffixes.take("abs"), "xorsign without abs");
      operation.flag = true;
    }
  }
  operation.uses = {use(operand(instruction, 1), type), use(operand(instruction, 2), type)};
  operation.defs = {def(operand(instruction, 0), type)};
  append(std::move(operation));
}

void Translator::fma(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  require(is_float(type), "this type");
  expect_operands(instruction, 4, 4);
  Operation operation{.opcode = Opcode::fma, .type = type};
  operation.rounding = take_rounding(suffixes).value_or(Rounding::nearest_even);
  require(operation.rounding <= Rounding::up, "this rounding");
  require(operation.rounding == Rounding::nearest_even || !is_half(type), "this rounding");
  operation.ftz = suffixes.take("ftz");
  operation.saturate = suffixes.take("sat");
  operation.flag = suffixes.take("relu");
  require(!operation.flag || is_half(type), "relu of this type");
  for (std::size_t i = 1; i < 4; ++i) operation.uses.push_back(use(operand(instruction, i), type));
  operation.defs = {def(operand(instruction, 0), type)};
  append(std::move(operation));
}

void Translator::float_unary(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  require(is_float(type), "this type");
  expect_operands(instruction, 2, 2);
  Operation operation{.opcode = float_unary_opcode(instruction.code), .type = type};
  operation.approximate = suffixes.take("approx");
  operation.rounding = take_rounding(suffixes).value_or(Rounding::nearest_even);
  require(operation.rounding <= Rounding::up, "this rounding");
  operation.ftz = suffixes.take("ftz");
  operation.uses = {use(operand(instruction, 1), type)};
  operation.defs = {def(operand(instruction, 0), type)};
  append(std::move(operation));
}

void Translator::float_div(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  require(type == Type::f32 || type == Type::f64, "this type");
  expect_operands(instruction, 3, 3);
  Operation operation{.opcode = Opcode::div, .type = type};
  operation.approximate = suffixes.take("approx");
  require(!operation.approximate || type == Type::f32, "an approximation of this type");
  operation.full = suffixes.take("full");
  operation.rounding = take_rounding(suffixes).value_or(Rounding::nearest_even);
  require(operation.rounding <= Rounding::up, "this rounding");
  operation.ftz = suffixes.take("ftz");
  operation.uses = {use(operand(instruction, 1), type), use(operand(instruction, 2), type)};
  operation.defs = {def(operand(instruction, 0), type)};
  append(std::move(operation));
}

void Translator::copysign(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  require(type == Type::f32 || type == Type::f64, "this type");
  expect_operands(instruction, 3, 3);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  emit(Opcode::copysign, type, {def(operand(instruction, 0), type)}, {a, b});
}

}  // namespace cudalabs::vgpu::exec
