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

// Moves the value about without looking at it: what is unset stays so. A shuffle, too: lanes may give what nobody
// takes, and parts of a structure that are there to align the next.
bool copies(const Operation& operation, std::size_t use) {
  const ir::Reading reading = ir::facts_of(operation.opcode).reading;
  return reading == ir::Reading::copies || (reading == ir::Reading::exchanges && use == 0);
}

// Arguments, results and arrays may be passed on in part, and stores of whole structs write what nobody set.
bool uses_value(const Operation& operation, std::size_t use) {
  const ir::Reading reading = ir::facts_of(operation.opcode).reading;
  return reading == ir::Reading::uses || (reading == ir::Reading::exchanges && use > 0);
}

// Narrower values, and predicates, have no pattern that would tell them from set ones.
bool is_recognised(const ir::Register& reg) {
  return reg.words == 0 && row_width(reg.type) >= 4;
}

// What may be unset after the operation; `read` is called with every register that it uses.
template <class Read>
void step(const Operation& operation, Registers& unset, Read read) {
  bool from_unset = false;
  for (std::size_t use = 0; use < operation.uses.size(); ++use) {
    const ir::Value& value = operation.uses[use];
    if (!value.is_register() || !unset[value.reg]) continue;
    from_unset = from_unset || copies(operation, use);
    if (!uses_value(operation, use)) continue;
    read(value.reg);
    unset[value.reg] = false;  // one check is enough
  }
  for (std::size_t def = 0; def < operation.defs.size(); ++def) {
    const std::uint32_t reg = operation.defs[def];
    unset[reg] = (from_unset && def == 0) || (defines_partly(operation) && unset[reg]);
  }
}

/// What a compiler computes for all threads, though the source does so for some only, has no line where the rest has.
/// Whether a thread uses the result, nobody can tell.
bool is_moved(const ir::Function& function, const Operation& operation,
              const std::vector<InstructionInfo>& instructions) {
  const auto has_line = [&](const Operation& each) { return instructions[each.instruction].line != 0; };
  return !has_line(operation) && std::ranges::any_of(function.blocks, [&](const ir::Block& block) {
    return std::ranges::any_of(block.operations, has_line);
  });
}

}  // namespace

void check_unset_reads(ir::Function& function, const std::vector<InstructionInfo>& instructions) {
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
        if (is_moved(function, operation, instructions)) return;
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
