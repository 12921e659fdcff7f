// Comparison and selection (PTX ISA: "Comparison and Selection Instructions").
#include <utility>

#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Boolean;
using ir::Compare;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

// The comparison and boolean operator come in this order, and `.lo`/`.hi` are comparisons here, not halves.
void Translator::compare_suffixes(Operation& operation, Suffixes& suffixes) const {
  const auto compare = suffixes.take_one<Compare>({{"eq", Compare::eq},
                                                   {"ne", Compare::ne},
                                                   {"lt", Compare::lt},
                                                   {"le", Compare::le},
                                                   {"gt", Compare::gt},
                                                   {"ge", Compare::ge},
                                                   {"lo", Compare::lo},
                                                   {"ls", Compare::ls},
                                                   {"hi", Compare::hi},
                                                   {"hs", Compare::hs},
                                                   {"equ", Compare::equ},
                                                   {"neu", Compare::neu},
                                                   {"ltu", Compare::ltu},
                                                   {"leu", Compare::leu},
                                                   {"gtu", Compare::gtu},
                                                   {"geu", Compare::geu},
                                                   {"num", Compare::num},
                                                   {"nan", Compare::nan}});
  require(compare.has_value(), "no comparison");
  operation.compare = *compare;
  operation.boolean =
      suffixes.take_one<Boolean>({{"and", Boolean::bit_and}, {"or", Boolean::bit_or}, {"xor", Boolean::bit_xor}})
          .value_or(Boolean::none);
  operation.ftz = suffixes.take("ftz");
}

// p = (a op b) bool c, q = !(a op b) bool c: the comparison first, then what it is combined with.
void Translator::setp(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::setp};
  compare_suffixes(operation, suffixes);
  const Boolean boolean = std::exchange(operation.boolean, Boolean::none);
  operation.type = take_type(suffixes);
  require(operation.type != Type::pred, "a comparison of predicates");
  const bool combined = boolean != Boolean::none;
  expect_operands(instruction, combined ? 4 : 3, combined ? 4 : 3);
  operation.uses = {use(operand(instruction, 1), operation.type), use(operand(instruction, 2), operation.type)};
  Value third = combined ? use_predicate(operand(instruction, 3)) : Value{};

  std::vector<std::uint32_t> results;
  const ptx::Operand& result = operand(instruction, 0);
  if (const auto* pair = std::get_if<ptx::PredicatePair>(&result.value)) {
    results = {register_base_[pair->first], pair->second ? register_base_[*pair->second] : temporary(Type::pred)};
  } else {
    results = {def(result, Type::pred)};
  }
  for (const std::uint32_t reg : results) {
    require(out_.registers[reg].type == Type::pred, "a comparison yields predicates");
  }
  if (combined && results.size() > 1) {  // the first result may be the third operand, which the second still needs
    const std::uint32_t kept = temporary(Type::pred);
    emit(Opcode::mov, Type::pred, {kept}, {third});
    third = Value::of_register(kept);
  }
  const auto finish = [&](std::uint32_t reg, Value holds) {
    if (combined) {
      const Opcode opcode = boolean == Boolean::bit_and  ? Opcode::bit_and
                            : boolean == Boolean::bit_or ? Opcode::bit_or
                                                         : Opcode::bit_xor;
      emit(opcode, Type::pred, {reg}, {holds, in_register(third, Type::pred)});
    } else {
      emit(Opcode::mov, Type::pred, {reg}, {holds});
    }
  };
  const bool packed = operation.type == Type::f16x2 || operation.type == Type::bf16x2;
  if (!packed && !combined && results.size() == 1) {
    operation.defs = results;
    append(std::move(operation));
    return;
  }
  const std::uint32_t holds = temporary(Type::pred);
  const std::uint32_t other = temporary(Type::pred);
  operation.defs = {holds};
  if (packed) operation.defs.push_back(other);  // of the upper halves
  append(std::move(operation));
  if (!packed) emit(Opcode::bit_not, Type::pred, {other}, {Value::of_register(holds)});
  finish(results[0], Value::of_register(holds));
  if (results.size() > 1) finish(results[1], Value::of_register(other));
}

void Translator::set(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::selp};
  compare_suffixes(operation, suffixes);
  operation.type = take_type(suffixes);
  operation.source_type = take_type(suffixes);
  require(row_width(operation.type) == 4, "a result of this type");
  const bool combined = operation.boolean != Boolean::none;
  expect_operands(instruction, combined ? 4 : 3, combined ? 4 : 3);
  // set = a comparison, then a choice between "true" and 0.
  Operation comparison = operation;
  comparison.opcode = Opcode::setp;
  comparison.boolean = Boolean::none;
  comparison.type = operation.source_type;
  comparison.uses = {use(operand(instruction, 1), comparison.type), use(operand(instruction, 2), comparison.type)};
  require(comparison.type != Type::f16x2 && comparison.type != Type::bf16x2, "packed operands");
  std::uint32_t holds = temporary(Type::pred);
  comparison.defs = {holds};
  append(std::move(comparison));
  if (combined) {
    const Opcode opcode = operation.boolean == Boolean::bit_and  ? Opcode::bit_and
                          : operation.boolean == Boolean::bit_or ? Opcode::bit_or
                                                                 : Opcode::bit_xor;
    const Value third = in_register(use_predicate(operand(instruction, 3)), Type::pred);
    const std::uint32_t both = temporary(Type::pred);
    emit(opcode, Type::pred, {both}, {Value::of_register(holds), third});
    holds = both;
  }
  const std::uint64_t truth = operation.type == Type::f32 ? 0x3F80'0000 : 0xFFFF'FFFF;
  emit(Opcode::selp, Type::b32, {def(operand(instruction, 0), operation.type)},
       {Value::of_bits(truth), Value::of_bits(0), Value::of_register(holds)});
}

void Translator::selp(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  expect_operands(instruction, 4, 4);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  const Value p = use_predicate(operand(instruction, 3));
  emit(Opcode::selp, type, {def(operand(instruction, 0), type)}, {a, b, p});
}

void Translator::slct(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool ftz = suffixes.take("ftz");
  const Type type = take_type(suffixes);
  const Type tested = take_type(suffixes);
  require(tested == Type::s32 || tested == Type::f32, "a choice by this type");
  expect_operands(instruction, 4, 4);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  const Value c = use(operand(instruction, 3), tested);
  // a where c >= 0 (no NaN), else b.
  const std::uint32_t holds = temporary(Type::pred);
  Operation comparison{.opcode = Opcode::setp, .type = tested, .compare = Compare::ge, .ftz = ftz};
  comparison.uses = {c, Value::of_bits(0)};
  comparison.defs = {holds};
  append(std::move(comparison));
  emit(Opcode::selp, type, {def(operand(instruction, 0), type)}, {a, b, Value::of_register(holds)});
}

}  // namespace cudalabs::vgpu::exec
