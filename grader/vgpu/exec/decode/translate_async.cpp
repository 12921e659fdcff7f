// Stores and reductions that go on beside their thread and tell a barrier (PTX ISA: "st.async", "red.async").
#include <algorithm>
#include <utility>
#include <vector>

#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;

namespace {

constexpr std::uint32_t kMostStored = 16;

/// Of the tables in the PTX ISA.
bool is_stored_async(Type type) {
  static constexpr Type kTypes[] = {Type::b32, Type::u32, Type::s32, Type::f32,
                                    Type::b64, Type::u64, Type::s64, Type::f64};
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

bool is_reduced_async(AtomicOperation operation, Type type) {
  switch (operation) {
    case AtomicOperation::add:
      return type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64;
    case AtomicOperation::min:
    case AtomicOperation::max:
      return type == Type::u32 || type == Type::s32;
    case AtomicOperation::increment:
    case AtomicOperation::decrement:
      return type == Type::u32;
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
      return type == Type::b32;
    default:
      return false;
  }
}

}  // namespace

/// "[to], value, [barrier]", or several values in braces.
void Translator::store_async(const ptx::Instruction& instruction, Suffixes& suffixes, bool reduces) {
  require(!suffixes.take("global"), "asynchronous stores to global memory");
  BulkForm form;
  form.to_cluster = true;
  require(suffixes.take("shared::cluster"), "asynchronous stores to other memory than that of a cluster");
  require(suffixes.take("mbarrier::complete_tx::bytes"), "asynchronous stores that tell no barrier");
  std::uint32_t registers = 1;
  if (reduces) {
    require(suffixes.take("relaxed") && suffixes.take("cluster"), "asynchronous reductions of another order or scope");
    form.reduction = take_reduction(suffixes);
    require(form.reduction.has_value(), "this operation");
  } else {
    suffixes.take("weak");
    registers = suffixes.take("v2") ? 2 : suffixes.take("v4") ? 4 : 1;
  }
  form.type = take_type(suffixes);
  require(reduces ? is_reduced_async(*form.reduction, form.type) : is_stored_async(form.type), "this type");
  require(registers * ptx::size_in_bytes(form.type) <= kMostStored, "accesses of more than 16 bytes a thread");
  form.registers = static_cast<std::uint8_t>(registers);
  expect_operands(instruction, 3, 3);
  const ptx::Operand& source = operand(instruction, 1);
  const auto* vector = std::get_if<ptx::VectorOperand>(&source.value);
  require((vector == nullptr ? 1 : vector->elements.size()) == registers,
          "as many registers as the vector has elements");
  Operation operation{.opcode = Opcode::bulk_copy, .type = form.type};
  operation.uses.push_back(whole_address(operand(instruction, 0), ptx::Space::shared, true));
  for (std::uint32_t i = 0; i < registers; ++i) {
    const ptx::Operand& value = vector == nullptr ? source : vector->elements[i];
    operation.uses.push_back(in_register(use(value, form.type), form.type));
  }
  operation.uses.push_back(whole_address(operand(instruction, 2), ptx::Space::shared, true));
  operation.detail = form.packed();
  append(std::move(operation));
}

}  // namespace cudalabs::vgpu::exec
