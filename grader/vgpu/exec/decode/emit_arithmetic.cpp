// Micro-operations that compute.
#include "vgpu/exec/decode/function_emitter.h"

#include <bit>

#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/comparison.h"
#include "vgpu/exec/handlers/lane_form.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

using ir::Handlers;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;
using ir::Widths;

namespace {

bool is_single_or_double(Type type) {
  return type == Type::f32 || type == Type::f64;
}

// Bytes a lane of an operand, for constants that need a row. 0: a predicate.
std::uint32_t operand_width(const Operation& operation, std::size_t index) {
  if (operation.form != nullptr) return row_width(operation.form->operands[index].type);
  const std::uint32_t own = row_width(operation.type);
  switch (ir::facts_of(operation.opcode).widths) {
    case Widths::own:
      return own;
    case Widths::source:
      return row_width(operation.source_type);
    case Widths::word:
      return 4;
    case Widths::amount:
      return index >= 1 ? 4 : own;
    case Widths::wide_addend:
      return index == 2 ? own * 2 : own;
    case Widths::index:
      return index == 0 ? row_width(operation.source_type) : 8;
    case Widths::predicate_last:
      return index == 2 ? 0 : own;
  }
  return own;
}

Handler select_arithmetic(const Operation& operation, unsigned immediates) {
  const auto first = [&](auto... selects) {
    Handler handler = nullptr;
    (void)((handler = selects(operation, immediates)) || ...);
    return handler;
  };
  switch (ir::facts_of(operation.opcode).handlers) {
    case Handlers::none:
      return nullptr;
    case Handlers::own:
      return immediates == 0 ? operation.handler : nullptr;
    case Handlers::numbers:
      return first(&select_integer, &select_float, &select_directed, &select_half);
    case Handlers::integers:
      return first(&select_integer);
    case Handlers::bits:
      return first(&select_compare, &select_integer);
    case Handlers::comparisons:
      return first(&select_compare, &select_half);
    case Handlers::conversions:
      return first(&select_move, &select_rare_conversion);
    case Handlers::moves:
      return first(&select_compare, &select_move);
    case Handlers::other:
      return immediates == 0 ? select_other(operation) : nullptr;
  }
  return nullptr;
}

std::uint32_t extra_of(const Operation& operation) {
  switch (ir::facts_of(operation.opcode).extra) {
    case ir::Extra::detail:
      return operation.detail;
    case ir::Extra::half_modifiers:
      return half_modifiers(operation);
    case ir::Extra::conversion_modifiers:
      return conversion_modifiers(operation);
  }
  return 0;
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
    const bool complement = normalized(operation.compare, is_single_or_double(operation.type)).complement;
    op.extra = complement != operation.flag ? kAllLanes : 0;  // a branch may be on the opposite, too
  }
  if (operation.opcode == Opcode::branch) op.extra = operation.flag ? kAllLanes : 0;
  if (operation.opcode == Opcode::branch || operation.opcode == Opcode::branch_compare) {
    op.target = segment(operation.targets[0]);
    op.next = segment(operation.targets[1]);
  }
}

}  // namespace cudalabs::vgpu::exec
