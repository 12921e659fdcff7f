// Constants, computed once and put where they are used.
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/integer_values.h"
#include "vgpu/exec/decode/live_ranges.h"
#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/simplify.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

// The value of an operation on constants, for the few opcodes addresses are made of.
std::optional<std::uint64_t> folded(const Operation& operation) {
  if (!is_integer(operation.type)) {
    return operation.opcode == Opcode::mov && operation.uses[0].is_immediate() && operation.type != Type::pred
               ? std::optional(operation.uses[0].bits)
               : std::nullopt;
  }
  for (const Value& value : operation.uses) {
    if (!value.is_immediate()) return std::nullopt;
  }
  const auto bits = [&](std::size_t i) { return operation.uses[i].bits; };
  switch (operation.opcode) {
    case Opcode::mov:
      return low_bits(bits(0), operation.type);
    case Opcode::add:
      return low_bits(bits(0) + bits(1), operation.type);
    case Opcode::sub:
      return low_bits(bits(0) - bits(1), operation.type);
    case Opcode::mul_lo:
      return low_bits(bits(0) * bits(1), operation.type);
    case Opcode::bit_or:
      return low_bits(bits(0) | bits(1), operation.type);
    case Opcode::shl:
      if (bits(1) >= 8 * row_width(operation.type)) return 0;
      return low_bits(bits(0) << bits(1), operation.type);
    case Opcode::cvt: {
      if (!is_integer(operation.source_type) || operation.saturate) return std::nullopt;
      if (row_width(operation.source_type) < 4 || row_width(operation.type) < 4) return std::nullopt;
      const std::uint64_t value = low_bits(bits(0), operation.source_type);
      if (operation.source_type == Type::s32) {
        return low_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value))),
                        operation.type);
      }
      return low_bits(value, operation.type);
    }
    default:
      return std::nullopt;
  }
}

// Constants go second, where handlers take them; subtracting one is adding its negative.
void tidy_operands(Operation& operation) {
  if (operation.uses.size() < 2) return;
  if (ir::facts_of(operation.opcode).commutes == ir::Commutes::yes && operation.uses[0].is_immediate() &&
      operation.uses[1].is_register()) {
    std::swap(operation.uses[0], operation.uses[1]);
  }
  if (operation.opcode == Opcode::sub && is_integer(operation.type) && operation.uses[1].is_immediate()) {
    operation.opcode = Opcode::add;
    operation.uses[1].bits = low_bits(0 - operation.uses[1].bits, operation.type);
  }
}

}  // namespace

void propagate_constants(ir::Function& function) {
  const std::vector<std::uint32_t> definitions = count_definitions(function);
  std::vector<std::optional<std::uint64_t>> constant(function.registers.size());
  LiveRanges ranges;
  if (!find_live_ranges(function, ranges)) ranges.at_entry.assign(function.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::Block& block : function.blocks) {
      for (Operation& operation : block.operations) {
        if (ir::takes_constants(operation)) {
          for (Value& value : operation.uses) {
            // Written once, and that once with a constant, before it is read: it holds nothing else.
            if (value.is_register() && constant[value.reg]) value = Value::of_bits(*constant[value.reg]);
          }
        }
        tidy_operands(operation);
        if (operation.defs.size() != 1 || defines_partly(operation) || definitions[operation.defs[0]] != 1) continue;
        if (constant[operation.defs[0]] || ranges.at_entry[operation.defs[0]]) continue;
        if (const std::optional<std::uint64_t> value = folded(operation)) {
          constant[operation.defs[0]] = value;
          operation.opcode = Opcode::mov;
          operation.uses = {Value::of_bits(*value)};
          changed = true;
        }
      }
    }
  }
}

}  // namespace cudalabs::vgpu::exec
