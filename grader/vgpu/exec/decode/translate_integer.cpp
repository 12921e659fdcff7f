// Integer arithmetic, extended-precision arithmetic, logic and shifts (PTX ISA: "Integer Arithmetic Instructions",
// "Extended-Precision Integer Arithmetic Instructions", "Logic and Shift Instructions").
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

bool is_integer(Type type) {
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
  if (suffixes.take("cc")) return add_or_sub_carry(instruction, suffixes);
  const Type type = take_type(suffixes);
  if (!is_integer(type)) return float_binary(instruction, suffixes, add ? Opcode::add : Opcode::sub, type);
  expect_operands(instruction, 3, 3);
  const bool saturate = suffixes.take("sat");
  require(!saturate || type == Type::s32, "saturation of this type");
  const Opcode opcode = saturate ? (add ? Opcode::add_sat : Opcode::sub_sat) : (add ? Opcode::add : Opcode::sub);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  emit(opcode, type, {def(operand(instruction, 0), type)}, {a, b});
}

// The carry flag CC.CF is a predicate of the thread like any other.
void Translator::add_or_sub_carry(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool add = instruction.code == ptx::Opcode::add || instruction.code == ptx::Opcode::addc;
  const bool carry_in = instruction.code == ptx::Opcode::addc || instruction.code == ptx::Opcode::subc;
  const bool carry_out = !carry_in || suffixes.take("cc");
  const Type type = take_type(suffixes);
  require(is_integer(type) && row_width(type) >= 4, "a carry with this type");
  expect_operands(instruction, 3, 3);
  if (carry_ == ir::kNoRegister) carry_ = temporary(Type::pred);
  std::vector<Value> uses{use(operand(instruction, 1), type), use(operand(instruction, 2), type)};
  if (carry_in) uses.push_back(Value::of_register(carry_));
  std::vector<std::uint32_t> defs{def(operand(instruction, 0), type)};
  if (carry_out) defs.push_back(carry_);
  const Opcode opcode = carry_in ? (carry_out ? (add ? Opcode::add_carry : Opcode::sub_carry)
                                              : (add ? Opcode::add_carry_in : Opcode::sub_carry_in))
                                 : (add ? Opcode::add_carry_out : Opcode::sub_carry_out);
  emit(opcode, type, std::move(defs), std::move(uses));
}

void Translator::mul(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool wide = suffixes.take("wide");
  const bool high = suffixes.take("hi");
  const bool low = suffixes.take("lo");
  const Type type = take_type(suffixes);
  if (!is_integer(type)) return float_binary(instruction, suffixes, Opcode::mul, type);
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
  const bool high = suffixes.take("hi");
  const bool low = suffixes.take("lo");
  if (suffixes.take("cc")) {
    require(high != low, "one of .hi and .lo");
    return mad_carry(instruction, suffixes);
  }
  if (!wide && !high && !low) return fma(instruction, suffixes);
  const Type type = take_type(suffixes);
  require(is_integer(type) && wide + high + low == 1, "one of .hi, .lo and .wide");
  expect_operands(instruction, 4, 4);
  const bool saturate = suffixes.take("sat");
  require(!saturate || (high && type == Type::s32), "saturation of this form");
  const Type result = wide ? twice_as_wide(type) : type;
  require(result != Type::none, "a wide product of this type");
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  const Value c = use(operand(instruction, 3), result);
  const Opcode opcode = wide ? Opcode::mad_wide : low ? Opcode::mad_lo : saturate ? Opcode::mad_hi_sat : Opcode::mad_hi;
  emit(opcode, type, {def(operand(instruction, 0), result)}, {a, b, c});
}

void Translator::mad_carry(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool carry_in = instruction.code == ptx::Opcode::madc;
  // mad arrives here with its suffixes taken.
  bool high = false, carry_out = true;
  for (const std::string& suffix : instruction.suffixes) high = high || suffix == "hi";
  if (carry_in) {
    require(suffixes.take("hi") != suffixes.take("lo"), "one of .hi and .lo");
    carry_out = suffixes.take("cc");
  }
  const Type type = take_type(suffixes);
  require(is_integer(type) && row_width(type) >= 4, "a carry with this type");
  expect_operands(instruction, 4, 4);
  if (carry_ == ir::kNoRegister) carry_ = temporary(Type::pred);
  std::vector<Value> uses{use(operand(instruction, 1), type), use(operand(instruction, 2), type),
                          use(operand(instruction, 3), type)};
  if (carry_in) uses.push_back(Value::of_register(carry_));
  std::vector<std::uint32_t> defs{def(operand(instruction, 0), type)};
  if (carry_out) defs.push_back(carry_);
  const Opcode first = high ? Opcode::mad_hi_carry_out : Opcode::mad_lo_carry_out;
  const Opcode both = high ? Opcode::mad_hi_carry : Opcode::mad_lo_carry;
  const Opcode last = high ? Opcode::mad_hi_carry_in : Opcode::mad_lo_carry_in;
  emit(carry_in ? (carry_out ? both : last) : first, type, std::move(defs), std::move(uses));
}

void Translator::mul24(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool high = suffixes.take("hi");
  require(high != suffixes.take("lo"), "one of .hi and .lo");
  const bool accumulate = instruction.code == ptx::Opcode::mad24;
  require(!suffixes.take("sat"), "saturating mad24");
  const Type type = take_type(suffixes);
  require(type == Type::u32 || type == Type::s32, "a type other than u32 and s32");
  const std::size_t count = accumulate ? 4 : 3;
  expect_operands(instruction, count, count);
  std::vector<Value> uses;
  for (std::size_t i = 1; i < count; ++i) uses.push_back(use(operand(instruction, i), type));
  const Opcode opcode =
      accumulate ? (high ? Opcode::mad24_hi : Opcode::mad24_lo) : (high ? Opcode::mul24_hi : Opcode::mul24_lo);
  emit(opcode, type, {def(operand(instruction, 0), type)}, std::move(uses));
}

void Translator::sad(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  require(is_integer(type), "an integer type");
  expect_operands(instruction, 4, 4);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  const Value c = use(operand(instruction, 3), type);
  emit(Opcode::sad, type, {def(operand(instruction, 0), type)}, {a, b, c});
}

void Translator::div_or_rem(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool division = instruction.code == ptx::Opcode::div;
  const Type type = take_type(suffixes);
  if (division && !is_integer(type)) return float_div(instruction, suffixes, type);
  require(is_integer(type), "an integer type");
  expect_operands(instruction, 3, 3);
  const Value a = use(operand(instruction, 1), type);
  const Value b = use(operand(instruction, 2), type);
  emit(division ? Opcode::div : Opcode::rem, type, {def(operand(instruction, 0), type)}, {a, b});
}

void Translator::min_or_max(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Opcode opcode = instruction.code == ptx::Opcode::min ? Opcode::min : Opcode::max;
  const Type type = take_type(suffixes);
  if (!is_integer(type)) return float_binary(instruction, suffixes, opcode, type);
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
  if (!is_integer(type)) return float_unary(instruction, suffixes);
  suffixes = probe;
  expect_operands(instruction, 2, 2);
  require(is_signed(type), "a signed type");
  const Value a = use(operand(instruction, 1), type);
  emit(instruction.code == ptx::Opcode::abs ? Opcode::abs : Opcode::neg, type, {def(operand(instruction, 0), type)},
       {a});
}

void Translator::count_bits(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool shift_amount = suffixes.take("shiftamt");
  const Type type = take_type(suffixes);
  require(row_width(type) == 4 || row_width(type) == 8, "a type of 32 or 64 bits");
  expect_operands(instruction, 2, 2);
  const ptx::Opcode name = instruction.code;
  const Opcode opcode = name == ptx::Opcode::popc   ? Opcode::popc
                        : name == ptx::Opcode::clz  ? Opcode::clz
                        : name == ptx::Opcode::brev ? Opcode::brev
                        : shift_amount              ? Opcode::bfind_shift
                                                    : Opcode::bfind;
  const Value a = use(operand(instruction, 1), type);
  emit(opcode, type, {def(operand(instruction, 0), opcode == Opcode::brev ? type : Type::u32)}, {a});
}

void Translator::bit_field(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const ptx::Opcode name = instruction.code;
  Operation operation;
  if (name == ptx::Opcode::bmsk || name == ptx::Opcode::szext) {
    const bool wrap = suffixes.take("wrap");
    require(wrap != suffixes.take("clamp"), "one of .clamp and .wrap");
    operation.detail = wrap;
  }
  operation.type = take_type(suffixes);
  require(row_width(operation.type) == 4 || row_width(operation.type) == 8, "a type of 32 or 64 bits");
  const auto add_uses = [&](std::initializer_list<Type> types) {
    expect_operands(instruction, types.size() + 1, types.size() + 1);
    std::size_t index = 1;
    for (const Type type : types) operation.uses.push_back(use(operand(instruction, index++), type));
  };
  if (name == ptx::Opcode::bfe) {
    operation.opcode = Opcode::bfe;
    add_uses({operation.type, Type::u32, Type::u32});
  } else if (name == ptx::Opcode::bfi) {
    operation.opcode = Opcode::bfi;
    add_uses({operation.type, operation.type, Type::u32, Type::u32});
  } else if (name == ptx::Opcode::bmsk) {
    operation.opcode = Opcode::bmsk;
    add_uses({Type::u32, Type::u32});
  } else if (name == ptx::Opcode::szext) {
    operation.opcode = Opcode::szext;
    add_uses({operation.type, Type::u32});
  } else {
    operation.opcode = Opcode::fns;
    add_uses({Type::b32, Type::b32, Type::s32});
  }
  operation.defs = {def(operand(instruction, 0), operation.type)};
  append(std::move(operation));
}

void Translator::dot_product(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation;
  operation.opcode = instruction.code == ptx::Opcode::dp4a ? Opcode::dp4a : Opcode::dp2a;
  if (operation.opcode == Opcode::dp2a) {
    operation.detail = suffixes.take("hi");
    require(operation.detail != suffixes.take("lo"), "one of .lo and .hi");
  }
  operation.type = take_type(suffixes);
  operation.source_type = take_type(suffixes);
  require(row_width(operation.type) == 4 && row_width(operation.source_type) == 4, "a type of 32 bits");
  expect_operands(instruction, 4, 4);
  for (std::size_t i = 1; i < 4; ++i) operation.uses.push_back(use(operand(instruction, i), Type::b32));
  operation.defs = {def(operand(instruction, 0), Type::b32)};
  append(std::move(operation));
}

// Of the packed video instructions those that compilers make of __vabsdiffu4, __vsadu4 and the like. The fourth operand
// is what is added to; without .add it would show through where a mask leaves a part out, and masks are not executed.
void Translator::packed_absolute_difference(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation;
  operation.opcode = instruction.code == ptx::Opcode::vabsdiff2 ? Opcode::vabsdiff2 : Opcode::vabsdiff4;
  operation.detail = suffixes.take("add");
  operation.type = take_type(suffixes);
  operation.source_type = take_type(suffixes);
  const Type other = take_type(suffixes);
  require(is_integer(operation.type) && row_width(operation.type) == 4, "a result of this type");
  require(is_integer(other) && row_width(other) == 4 && operation.source_type == other, "operands of these types");
  expect_operands(instruction, 4, 4);
  for (std::size_t i = 1; i < (operation.detail != 0 ? 4 : 3); ++i) {
    operation.uses.push_back(use(operand(instruction, i), Type::b32));
  }
  operation.defs = {def(operand(instruction, 0), Type::b32)};
  append(std::move(operation));
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

void Translator::funnel_shift(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool left = suffixes.take("l");
  require(left != suffixes.take("r"), "one of .l and .r");
  const bool wrap = suffixes.take("wrap");
  require(wrap != suffixes.take("clamp"), "one of .clamp and .wrap");
  const Type type = take_type(suffixes);
  require(row_width(type) == 4, "a type of 32 bits");
  expect_operands(instruction, 4, 4);
  std::vector<Value> uses;
  for (std::size_t i = 1; i < 4; ++i) uses.push_back(use(operand(instruction, i), Type::b32));
  emit(left ? Opcode::shf_left : Opcode::shf_right, Type::b32, {def(operand(instruction, 0), Type::b32)},
       std::move(uses))
      .detail = wrap;
}

void Translator::lop3(const ptx::Instruction& instruction, Suffixes& suffixes) {
  require(take_type(suffixes) == Type::b32, "a type other than b32");
  expect_operands(instruction, 5, 5);
  const auto* table = std::get_if<ptx::IntegerImmediate>(&operand(instruction, 4).value);
  require(table != nullptr && table->bits < 256, "the table must be a number below 256");
  std::vector<Value> uses;
  for (std::size_t i = 1; i < 4; ++i) uses.push_back(use(operand(instruction, i), Type::b32));
  emit(Opcode::lop3, Type::b32, {def(operand(instruction, 0), Type::b32)}, std::move(uses)).detail =
      static_cast<std::uint32_t>(table->bits);
}

void Translator::prmt(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const std::uint32_t mode =
      suffixes.take_one<std::uint32_t>({{"f4e", 1}, {"b4e", 2}, {"rc8", 3}, {"ecl", 4}, {"ecr", 5}, {"rc16", 6}})
          .value_or(0);
  require(take_type(suffixes) == Type::b32, "a type other than b32");
  expect_operands(instruction, 4, 4);
  std::vector<Value> uses;
  for (std::size_t i = 1; i < 4; ++i) uses.push_back(use(operand(instruction, i), Type::b32));
  emit(Opcode::prmt, Type::b32, {def(operand(instruction, 0), Type::b32)}, std::move(uses)).detail = mode;
}

}  // namespace cudalabs::vgpu::exec
