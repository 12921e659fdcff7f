// Where a register may be read that nothing has written.
#include "vgpu/exec/decode/unset_reads.h"

#include <algorithm>
#include <vector>

#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/live_ranges.h"
#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;
using ir::Operation;
using Registers = std::vector<bool>;  // those that may be unset

// Moves values about without looking at them: what is unset stays so.
bool copies(const Operation& operation) {
  return ir::facts_of(operation.opcode).reading == ir::Reading::copies;
}

// Arguments, results and arrays may be passed on in part, and stores of whole structs write what nobody set.
bool uses_values(const Operation& operation) {
  return ir::facts_of(operation.opcode).reading == ir::Reading::uses;
}

// Narrower values, and predicates, have no pattern that would tell them from set ones.
bool is_recognised(const ir::Register& reg) {
  return reg.words == 0 && row_width(reg.type) >= 4;
}

// What may be unset after the operation; `read` is called with every register that it uses.
template <class Read>
void step(const Operation& operation, Registers& unset, Read read) {
  if (uses_values(operation)) {
    for (const ir::Value& value : operation.uses) {
      if (value.is_register() && unset[value.reg]) {
        read(value.reg);
        unset[value.reg] = false;  // one check is enough
      }
    }
  }
  bool from_unset = false;
  if (copies(operation)) {
    for (const ir::Value& value : operation.uses) from_unset = from_unset || (value.is_register() && unset[value.reg]);
  }
  for (const std::uint32_t reg : operation.defs) {
    unset[reg] = from_unset || (defines_partly(operation) && unset[reg]);
  }
}

}  // namespace

void check_unset_reads(ir::Function& function) {
  LiveRanges ranges;
  if (!find_live_ranges(function, ranges)) return;
  Registers at_entry(function.registers.size());
  for (std::uint32_t reg = 0; reg < at_entry.size(); ++reg) {
    at_entry[reg] = ranges.at_entry[reg] && is_recognised(function.registers[reg]);
  }
  for (const std::uint32_t reg : function.parameters) at_entry[reg] = false;
  if (std::ranges::find(at_entry, true) == at_entry.end()) return;

  std::vector<Registers> before(function.blocks.size(), Registers(at_entry.size()));
  before[0] = at_entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t block = 0; block < function.blocks.size(); ++block) {
      Registers unset = before[block];
      for (const Operation& operation : function.blocks[block].operations) step(operation, unset, [](std::uint32_t) {});
      for (const std::uint32_t next : successors(function.blocks[block])) {
        for (std::size_t reg = 0; reg < unset.size(); ++reg) {
          if (!unset[reg] || before[next][reg]) continue;
          before[next][reg] = true;
          changed = true;
        }
      }
    }
  }

  for (std::size_t block = 0; block < function.blocks.size(); ++block) {
    Registers unset = before[block];
    if (std::ranges::find(unset, true) == unset.end()) continue;
    std::vector<Operation> operations;
    for (Operation& operation : function.blocks[block].operations) {
      step(operation, unset, [&](std::uint32_t reg) {
        Operation check{.opcode = Opcode::check_set, .type = function.registers[reg].type};
        check.uses = {ir::Value::of_register(reg)};
        check.guard = operation.guard;
        check.guard_negated = operation.guard_negated;
        check.instruction = operation.instruction;
        operations.push_back(std::move(check));
      });
      operations.push_back(std::move(operation));
    }
    function.blocks[block].operations = std::move(operations);
  }
}

}  // namespace cudalabs::vgpu::exec
