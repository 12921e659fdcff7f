// Local memory that a thread takes while it runs (PTX ISA: "Stack Manipulation Instructions").
#include <bit>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/select_control.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;

void Translator::stack(const ptx::Instruction& instruction, Suffixes& suffixes) {
  require(take_type(suffixes) == Type::u64, "32-bit addresses are not supported");
  Operation operation{.opcode = Opcode::lane_function, .type = Type::u64};
  operation.handler = select_stack(instruction.code);
  operation.pinned = true;
  const bool restores = instruction.code == ptx::Opcode::stackrestore;
  if (!restores) operation.defs = {def(operand(instruction, 0), Type::u64)};
  if (instruction.code == ptx::Opcode::alloca) {
    constexpr std::uint32_t kUsual = 8, kMost = 4096;
    expect_operands(instruction, 2, 3);
    operation.uses = {in_register(use(operand(instruction, 1), Type::u64), Type::u64)};
    operation.detail = kUsual;
    if (instruction.operands.size() == 3) {
      const auto* alignment = std::get_if<ptx::IntegerImmediate>(&operand(instruction, 2).value);
      require(alignment != nullptr && std::has_single_bit(alignment->bits) && alignment->bits <= kMost,
              "such an alignment");
      operation.detail = static_cast<std::uint32_t>(alignment->bits);
    }
  } else {
    expect_operands(instruction, 1, 1);
    if (restores) operation.uses = {in_register(use(operand(instruction, 0), Type::u64), Type::u64)};
  }
  append(std::move(operation));
}

}  // namespace cudalabs::vgpu::exec
