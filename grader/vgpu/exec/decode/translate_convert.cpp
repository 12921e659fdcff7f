// Conversions between types and between address spaces (PTX ISA: "cvt", "cvt.pack", "cvta", "isspacep").
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/special_register.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Rounding;
using ir::Type;
using ir::Value;

namespace {

/// `.shared::cluster` is to be taken before.
ptx::Space take_space(Suffixes& suffixes) {
  using ptx::Space;
  for (const std::string_view part : {"shared::cta", "param::entry", "param::func"}) {
    if (suffixes.take(part)) return part.starts_with("shared") ? Space::shared : Space::param;
  }
  return suffixes
      .take_one<Space>({{"global", Space::global},
                        {"shared", Space::shared},
                        {"local", Space::local},
                        {"const", Space::constant},
                        {"param", Space::param}})
      .value_or(Space::generic);
}

std::uint64_t window_base(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return kSharedBase;
    case ptx::Space::local:
      return kLocalBase;
    case ptx::Space::param:
      return kParameterBase;
    default:
      return 0;  // global and constant addresses are generic addresses already
  }
}

bool is_brain_or_half(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2;
}

}  // namespace

void Translator::cvt(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool packing = suffixes.take("pack");
  Operation operation{.opcode = Opcode::cvt};
  operation.rounding = take_rounding(suffixes).value_or(Rounding::none);
  operation.ftz = suffixes.take("ftz");
  operation.saturate = suffixes.take("sat");
  operation.flag = suffixes.take("relu");
  const bool finite = suffixes.take("satfinite");
  operation.type = take_type(suffixes);
  operation.source_type = take_type(suffixes);
  require(operation.type != Type::pred && operation.source_type != Type::pred, "predicates");
  if (finite) {
    require(is_brain_or_half(operation.type) && operation.source_type == Type::f32, "`.satfinite` with these types");
    operation.detail = ir::kFinite;
  }
  if (packing) {
    require(operation.saturate && operation.source_type == Type::s32, "this form of pack");
    operation.opcode = Opcode::cvt_pack;
    operation.detail = suffixes.take_type() == Type::b32;  // a third operand fills the upper half
    expect_operands(instruction, operation.detail ? 4 : 3, operation.detail ? 4 : 3);
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      operation.uses.push_back(use(operand(instruction, i), Type::b32));
    }
    operation.defs = {def(operand(instruction, 0), Type::b32)};
    append(std::move(operation));
    return;
  }
  const bool pair = operation.type == Type::f16x2 || operation.type == Type::bf16x2;
  expect_operands(instruction, pair ? 3 : 2, pair ? 3 : 2);
  if (pair) {
    require(operation.source_type == Type::f32, "packed halves of another type than f32");
    operation.opcode = Opcode::cvt_pack;
    operation.uses = {use(operand(instruction, 1), Type::f32), use(operand(instruction, 2), Type::f32)};
    operation.defs = {def(operand(instruction, 0), operation.type)};
    append(std::move(operation));
    return;
  }
  require(
      !ptx::is_untyped(operation.type) && operation.source_type != Type::f16x2 && operation.source_type != Type::bf16x2,
      "these types");
  // The source may sit in a wider register, whose low bits count; a wider result register is filled by extension.
  Value source = use(operand(instruction, 1), operation.source_type);
  operation.uses = {source};
  const ptx::Operand& result = operand(instruction, 0);
  const auto* reg = std::get_if<ptx::RegisterRef>(&result.value);
  require(reg != nullptr, "the result must be a register");
  const std::uint32_t index = register_of(result, reg->index);
  const Type have = out_.registers[index].type;
  require(have != Type::pred && row_width(have) >= row_width(operation.type), "a result that is too narrow");
  const Type type = operation.type;
  const std::uint32_t converted = row_width(have) == row_width(type) ? index : temporary(type);
  operation.defs = {converted};
  append(std::move(operation));
  if (converted != index) {
    const bool sign = type == Type::s8 || type == Type::s16 || type == Type::s32;
    const Type wide = row_width(have) == 8 ? (sign ? Type::s64 : Type::u64) : (sign ? Type::s32 : Type::u32);
    const Type narrow = type == Type::f16 || type == Type::bf16 ? Type::u16 : type == Type::f32 ? Type::u32 : type;
    emit(Opcode::cvt, wide, {index}, {Value::of_register(converted)}).source_type = narrow;
  }
}

void Translator::cvta(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool to = suffixes.take("to");
  const bool of_cluster = suffixes.take("shared::cluster");
  ptx::Space space = of_cluster ? ptx::Space::shared : take_space(suffixes);
  require(space != ptx::Space::generic, "a state space is needed");
  const Type type = take_type(suffixes);
  require(row_width(type) == 8, "32-bit addresses are not supported");
  expect_operands(instruction, 2, 2);
  const ptx::Operand& source = operand(instruction, 1);
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&source.value);
      symbol != nullptr && space == ptx::Space::param) {
    const Value address = generic_parameter_address(*symbol);
    emit(Opcode::mov, Type::u64, {def(operand(instruction, 0), type)}, {address});
    return;
  }
  // A function's own parameters have their addresses in its frame.
  if (space == ptx::Space::param && !source_.is_entry) space = ptx::Space::local;
  const std::uint64_t base = window_base(space);
  const Value address = use(source, Type::u64);
  const std::uint32_t result = def(operand(instruction, 0), type);
  if (space == ptx::Space::shared && !of_cluster && !to && surroundings_.uses_clusters) {
    // Another block may be given the address, and means this block's memory by it.
    const std::uint32_t own = temporary(Type::u64);
    emit(Opcode::special, Type::u64, {own}, {}).detail = static_cast<std::uint32_t>(Special::shared_base);
    emit(Opcode::add, Type::u64, {result}, {address, Value::of_register(own)});
  } else if (base == 0) {
    emit(Opcode::mov, Type::u64, {result}, {address});
  } else {
    emit(Opcode::add, Type::u64, {result}, {address, Value::of_bits(to ? 0 - base : base)});
  }
}

void Translator::isspacep(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool of_cluster = suffixes.take("shared::cluster");
  const ptx::Space space = of_cluster ? ptx::Space::shared : take_space(suffixes);
  require(space != ptx::Space::generic, "a state space is needed");
  expect_operands(instruction, 2, 2);
  const Value address = in_register(use(operand(instruction, 1), Type::u64), Type::u64);
  emit(Opcode::isspacep, Type::u64, {def(operand(instruction, 0), Type::pred)}, {address}).detail =
      static_cast<std::uint32_t>(space) | (of_cluster ? ir::kOfCluster : 0);
}

// The address of another block's shared memory, and back: offsets in the window of shared memory where the text says
// `.shared::cluster`, else generic addresses.
void Translator::mapa(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool is_offset = suffixes.take("shared::cluster");
  const Type type = take_type(suffixes);
  require(type == Type::u64 || (type == Type::u32 && is_offset), "this type");
  expect_operands(instruction, 3, 3);
  const Value address = in_register(resized(use(operand(instruction, 1), type), type, Type::u64), Type::u64);
  const Value rank = in_register(use(operand(instruction, 2), Type::u32), Type::u32);
  const std::uint32_t result = def(operand(instruction, 0), type);
  const std::uint32_t mapped = type == Type::u64 ? result : temporary(Type::u64);
  emit(Opcode::mapa, Type::u64, {mapped}, {address, rank}).detail = is_offset;
  if (mapped != result) emit(Opcode::cvt, Type::u32, {result}, {Value::of_register(mapped)}).source_type = Type::u64;
}

void Translator::getctarank(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool is_offset = suffixes.take("shared::cluster");
  const Type type = take_type(suffixes);
  require(type == Type::u64 || (type == Type::u32 && is_offset), "this type");
  expect_operands(instruction, 2, 2);
  const Value address = in_register(resized(use(operand(instruction, 1), type), type, Type::u64), Type::u64);
  emit(Opcode::getctarank, Type::u64, {def(operand(instruction, 0), Type::u32)}, {address}).detail = is_offset;
}

}  // namespace cudalabs::vgpu::exec
