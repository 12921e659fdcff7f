// Comparison and selection (PTX ISA: "Comparison and Selection Instructions").
#include <utility>
#include <vector>

#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Boolean;
using ir::Compare;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

bool is_pair_of_halves(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2;
}

/// What `set` gives where the comparison holds; of packed results in each half.
std::uint64_t truth_of(Type type) {
  switch (type) {
    case Type::f32:
      return 0x3F80'0000;
    case Type::f16:
    case Type::f16x2:
      return 0x3C00;
    case Type::bf16:
    case Type::bf16x2:
      return 0x3F80;
    default:
      return 0xFFFF'FFFF;
  }
}

}  // namespace

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
  const bool packed = is_pair_of_halves(operation.type);
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

// set = comparisons, then for each a choice between "true" and 0.
void Translator::set(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation comparison{.opcode = Opcode::setp};
  compare_suffixes(comparison, suffixes);
  const Boolean boolean = std::exchange(comparison.boolean, Boolean::none);
  const Type type = take_type(suffixes);
  comparison.type = take_type(suffixes);
  const bool packed = is_pair_of_halves(comparison.type);
  require(packed ? is_pair_of_halves(type) || type == Type::u32 || type == Type::s32
                 : !is_pair_of_halves(type) && (row_width(type) == 2 || row_width(type) == 4),
          "a result of this type");
  const bool combined = boolean != Boolean::none;
  expect_operands(instruction, combined ? 4 : 3, combined ? 4 : 3);
  comparison.uses = {use(operand(instruction, 1), comparison.type), use(operand(instruction, 2), comparison.type)};
  for (int half = 0; half < (packed ? 2 : 1); ++half) comparison.defs.push_back(temporary(Type::pred));
  std::vector<std::uint32_t> holds = comparison.defs;
  append(std::move(comparison));
  if (combined) {
    const Opcode opcode = boolean == Boolean::bit_and  ? Opcode::bit_and
                          : boolean == Boolean::bit_or ? Opcode::bit_or
                                                       : Opcode::bit_xor;
    const Value third = in_register(use_predicate(operand(instruction, 3)), Type::pred);
    for (std::uint32_t& each : holds) {
      const std::uint32_t both = temporary(Type::pred);
      emit(opcode, Type::pred, {both}, {Value::of_register(each), third});
      each = both;
    }
  }
  const std::uint32_t result = def(operand(instruction, 0), type);
  if (!packed) {
    const Type bits = row_width(type) == 2 ? Type::b16 : Type::b32;
    emit(Opcode::selp, bits, {result},
         {Value::of_bits(truth_of(type)), Value::of_bits(0), Value::of_register(holds[0])});
    return;
  }
  const std::uint64_t truth = truth_of(type) & 0xFFFF;
  const std::uint32_t low = temporary(Type::b32), high = temporary(Type::b32);
  emit(Opcode::selp, Type::b32, {low}, {Value::of_bits(truth), Value::of_bits(0), Value::of_register(holds[0])});
  emit(Opcode::selp, Type::b32, {high}, {Value::of_bits(truth << 16), Value::of_bits(0), Value::of_register(holds[1])});
  emit(Opcode::bit_or, Type::b32, {result}, {Value::of_register(low), Value::of_register(high)});
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
