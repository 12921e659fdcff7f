// Micro-operations that compute.
#include "vgpu/exec/decode/function_emitter.h"

#include <bit>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/comparison.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

bool is_float(Type type) {
  return type == Type::f32 || type == Type::f64;
}

// Bytes a lane of an operand, for constants that need a row. 0: a predicate.
std::uint32_t operand_width(const Operation& operation, std::size_t index) {
  const std::uint32_t own = row_width(operation.type);
  switch (operation.opcode) {
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
    case Opcode::szext:
      return index >= 1 ? 4 : own;
    case Opcode::bfi:
      return index >= 2 ? 4 : own;
    case Opcode::bmsk:
    case Opcode::fns:
      return 4;
    case Opcode::mad_wide:
      return index == 2 ? own * 2 : own;
    case Opcode::address_lea:
      return index == 0 ? row_width(operation.source_type) : 8;
    case Opcode::selp:
      return index == 2 ? 0 : own;
    case Opcode::cvt:
    case Opcode::cvt_tf32:
      return row_width(operation.source_type);
    case Opcode::cvt_pack:
      return 4;
    default:
      return own;
  }
}

Handler select_arithmetic(const Operation& operation, unsigned immediates) {
  if (operation.opcode == Opcode::lane_function) return immediates == 0 ? operation.handler : nullptr;
  for (const auto select : {&select_compare, &select_integer, &select_float, &select_move, &select_rare_integer,
                            &select_rare_float, &select_half, &select_rare_conversion}) {
    if (const Handler handler = select(operation, immediates)) return handler;
  }
  return immediates == 0 ? select_other(operation) : nullptr;
}

// What a handler finds in MicroOp::extra.
std::uint32_t extra_of(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::cvt:
    case Opcode::cvt_pack:
      return conversion_modifiers(operation);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::fma:
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::ex2:
    case Opcode::tanh:
      return half_modifiers(operation);
    default:
      return operation.detail;
  }
}

}  // namespace

void FunctionEmitter::emit_arithmetic(const Operation& operation, MicroOp& op) {
  unsigned immediates = 0;
  for (std::size_t i = 0; i < operation.uses.size(); ++i) {
    if (operation.uses[i].is_immediate()) immediates |= 1u << i;
  }
  // A form with the constant in the operation, or else constants in rows of their own.
  op.run = select_arithmetic(operation, immediates);
  if (op.run == nullptr && std::popcount(immediates) > 1) {
    for (const unsigned kept : {2u, 4u, 1u}) {
      if ((immediates & kept) == 0) continue;
      op.run = select_arithmetic(operation, kept);
      if (op.run != nullptr) {
        immediates = kept;
        break;
      }
    }
  }
  if (op.run == nullptr) {
    immediates = 0;
    op.run = select_arithmetic(operation, 0);
  }
  if (!operation.defs.empty()) op.d = offset(operation.defs[0]);
  op.extra = operation.defs.size() > 1 ? offset(operation.defs[1]) : extra_of(operation);
  for (std::size_t i = 0; i < operation.uses.size(); ++i) {
    const Value& value = operation.uses[i];
    if ((immediates >> i & 1) != 0) {
      op.immediate = value.bits;
      continue;
    }
    const std::uint32_t at =
        value.is_register() ? offset(value.reg) : constant(value.bits, operand_width(operation, i));
    if (i < 3) {
      field(op, {&MicroOp::a, &MicroOp::b, &MicroOp::c}, i) = at;
    } else if (i == 3) {
      op.immediate = at;
    }
  }
  const bool one_result = operation.opcode == Opcode::setp && operation.defs.size() == 1;
  if (one_result || operation.opcode == Opcode::branch_compare) {
    const bool complement = normalized(operation.compare, is_float(operation.type)).complement;
    op.extra = complement != operation.flag ? kAllLanes : 0;  // a branch may be on the opposite, too
  }
  if (operation.opcode == Opcode::branch) op.extra = operation.flag ? kAllLanes : 0;
  if (operation.opcode == Opcode::branch || operation.opcode == Opcode::branch_compare) {
    op.target = segment(operation.targets[0]);
    op.next = segment(operation.targets[1]);
  }
}

}  // namespace cudalabs::vgpu::exec
