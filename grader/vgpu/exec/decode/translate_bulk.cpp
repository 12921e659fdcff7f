// Bulk copies (PTX ISA: "cp.async.bulk", "cp.reduce.async.bulk") and the order of their groups.
#include <algorithm>
#include <string_view>
#include <utility>

#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::MemoryFields;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

/// What may be reduced where: of the table in the PTX ISA.
bool is_reduced(AtomicOperation operation, Type type, bool in_global) {
  switch (operation) {
    case AtomicOperation::add:
      return type == Type::u32 || type == Type::s32 || type == Type::u64 ||
             (in_global && (type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64));
    case AtomicOperation::min:
    case AtomicOperation::max:
      return type == Type::u32 || type == Type::s32 ||
             (in_global && (type == Type::u64 || type == Type::s64 || type == Type::f16 || type == Type::bf16));
    case AtomicOperation::increment:
    case AtomicOperation::decrement:
      return type == Type::u32;
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
      return type == Type::b32 || (in_global && type == Type::b64);
    default:
      return false;
  }
}

}  // namespace

void Translator::bulk(const ptx::Instruction& instruction, Suffixes& suffixes, bool reduces) {
  if (suffixes.take("commit_group")) {
    expect_operands(instruction, 0, 0);
    emit(Opcode::bulk_commit, Type::none, {}, {});
    return;
  }
  if (suffixes.take("wait_group")) {
    expect_operands(instruction, 1, 1);
    const auto* groups = std::get_if<ptx::IntegerImmediate>(&operand(instruction, 0).value);
    require(groups != nullptr, "the number of groups must be a constant");
    Operation& wait = emit(Opcode::bulk_wait, Type::none, {}, {});
    wait.detail = static_cast<std::uint32_t>(groups->bits);
    wait.flag = suffixes.take("read");
    return;
  }
  if (suffixes.take("tensor")) return copy_tensor(instruction, suffixes, reduces);
  if (suffixes.take("prefetch")) {  // changes when, not what
    suffixes.drop("L2");
    require(suffixes.take("global"), "a prefetch that is not from global memory");
    return;
  }
  require(!suffixes.take("cp_mask"), "bulk copies of some bytes of each 16");
  copy_in_bulk(instruction, suffixes, reduces);
}

/// "[to], [from], size", and "[barrier]" or nothing, and a mask of blocks, and a cache policy.
void Translator::copy_in_bulk(const ptx::Instruction& instruction, Suffixes& suffixes, bool reduces) {
  BulkForm form;
  form.to_cluster = suffixes.take("shared::cluster");
  const bool of_block = suffixes.take("shared::cta"), global = suffixes.take("global");
  const bool groups = suffixes.take("bulk_group"), bytes = suffixes.take("mbarrier::complete_tx::bytes");
  form.to_global = groups && global && of_block && !form.to_cluster;
  form.from_global = bytes && global && form.to_cluster != of_block;
  const bool between_blocks = bytes && form.to_cluster && of_block && !global;
  require(form.to_global || form.from_global || between_blocks, "this direction, or this way to wait");
  // Where it goes to comes first.
  const auto place_of = [&](std::string_view word) { return std::ranges::find(instruction.suffixes, word); };
  require(!form.to_global || place_of("global") < place_of("shared::cta"), "this direction");
  form.multicast = suffixes.take("multicast::cluster");
  require(!form.multicast || (form.from_global && form.to_cluster), "a multicast that is not from global memory");
  const bool hint = suffixes.take("L2::cache_hint");
  if (reduces) {
    require(!form.from_global, "a reduction that is not from shared memory");
    suffixes.take("noftz");
    form.reduction = take_reduction(suffixes);
    require(form.reduction.has_value(), "this operation");
    form.type = take_type(suffixes);
    require(is_reduced(*form.reduction, form.type, form.to_global), "this type");
  }
  const std::size_t expected = 3 + (form.has_barrier() ? 1 : 0) + (form.multicast ? 1 : 0) + (hint ? 1 : 0);
  expect_operands(instruction, expected, expected);
  Operation operation{.opcode = Opcode::bulk_copy};
  std::size_t next = 0;
  const auto add_address = [&](bool in_global, bool of_cluster) {
    const ptx::Space space = in_global ? ptx::Space::global : ptx::Space::shared;
    operation.uses.push_back(whole_address(operand(instruction, next++), space, of_cluster));
  };
  add_address(form.to_global, form.to_cluster);
  add_address(form.from_global, false);
  operation.uses.push_back(in_register(use(operand(instruction, next++), Type::u32), Type::u32));
  if (form.has_barrier()) add_address(false, form.to_cluster);
  if (form.multicast) operation.uses.push_back(in_32_bits(operand(instruction, next++)));
  operation.detail = form.packed();
  operation.type = form.type;
  append(std::move(operation));
}

/// With its offset, in a register.
Value Translator::whole_address(const ptx::Operand& operand, ptx::Space space, bool of_cluster) {
  MemoryFields memory{.space = space, .of_cluster = of_cluster};
  const Value base = address(operand, memory);
  if (memory.offset == 0) return base;
  const std::uint32_t sum = temporary(Type::u64);
  emit(Opcode::add, Type::u64, {sum}, {base, Value::of_bits(static_cast<std::uint64_t>(memory.offset))});
  return Value::of_register(sum);
}

Value Translator::in_32_bits(const ptx::Operand& mask) {
  const std::uint32_t wide = temporary(Type::u32);
  emit(Opcode::cvt, Type::u32, {wide}, {in_register(use(mask, Type::u16), Type::u16)}).source_type = Type::u16;
  return Value::of_register(wide);
}

}  // namespace cudalabs::vgpu::exec
