// PTX -> who reads and writes what, and the blocks of each function.
#include "vgpu/profile/schedule_table.h"

#include <algorithm>
#include <map>
#include <span>

#include "vgpu/analysis/liveness.h"
#include "vgpu/analysis/text_blocks.h"
#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/result.h"

namespace cudalabs::vgpu {
namespace {

void add_registers(const ptx::Operand& operand, std::vector<std::uint32_t>& to) {
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value)) to.push_back(reg->index);
  if (const auto* address = std::get_if<ptx::Address>(&operand.value)) {
    if (const auto* base = std::get_if<ptx::RegisterRef>(&address->base)) to.push_back(base->index);
  }
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& element : vector->elements) add_registers(element, to);
  }
  if (const auto* list = std::get_if<ptx::ListOperand>(&operand.value)) {
    for (const ptx::Operand& element : list->elements) add_registers(element, to);
  }
  if (const auto* pair = std::get_if<ptx::PredicatePair>(&operand.value)) {
    to.push_back(pair->first);
    if (pair->second) to.push_back(*pair->second);
  }
}

/// A load whose place in constant memory is known to the compiler: instructions read it there, as they read parameters.
bool reads_constant(const ptx::Instruction& instruction, const InstructionInfo& info) {
  if (info.opcode_class != OpcodeClass::load || info.space != MemorySpace::constant) return false;
  const auto* address =
      instruction.operands.size() == 2 ? std::get_if<ptx::Address>(&instruction.operands[1].value) : nullptr;
  return address != nullptr && !std::holds_alternative<ptx::RegisterRef>(address->base);
}

/// A jump that is always taken: the code that follows it is laid out behind it.
bool falls_through(const ptx::Instruction& instruction) {
  return ptx::facts_of(instruction.code).flow == ptx::Flow::jump && !instruction.guard;
}

WaitKind wait_of_class(const InstructionInfo& info) {
  switch (info.opcode_class) {
    case OpcodeClass::integer:
    case OpcodeClass::float16:
    case OpcodeClass::float32:
    case OpcodeClass::comparison:
    case OpcodeClass::conversion:
      return WaitKind::arithmetic;
    case OpcodeClass::move:
      return WaitKind::none;
    case OpcodeClass::special_function:
    case OpcodeClass::float64:
    case OpcodeClass::float64_conversion:
      return WaitKind::special;
    case OpcodeClass::load:
    case OpcodeClass::atomic:
      return info.space == MemorySpace::shared || info.space == MemorySpace::constant ? WaitKind::shared
                                                                                      : WaitKind::global;
    case OpcodeClass::barrier:
      return WaitKind::barrier;
    case OpcodeClass::warp_sync:
      return WaitKind::shared;
    case OpcodeClass::store:
    case OpcodeClass::fence:
    case OpcodeClass::branch:
    case OpcodeClass::call:
    case OpcodeClass::exit:
    case OpcodeClass::other:
      return WaitKind::issue;
  }
  return WaitKind::issue;
}

WaitKind wait_kind(const ptx::Instruction& instruction, const InstructionInfo& info) {
  if (reads_constant(instruction, info) || falls_through(instruction)) return WaitKind::none;
  const WaitKind kind = ptx::facts_of(instruction.code).wait.value_or(wait_of_class(info));
  return kind == WaitKind::copy && info.waits_for_copies ? WaitKind::copy_wait : kind;
}

ScheduleTable::Instruction read_instruction(const ptx::Instruction& instruction, const InstructionInfo& info) {
  ScheduleTable::Instruction read;
  read.kind = wait_kind(instruction, info);
  read.space = info.space.value_or(MemorySpace::global);
  const OpcodeClass kind = info.opcode_class;
  const bool accesses = kind == OpcodeClass::load || kind == OpcodeClass::store || kind == OpcodeClass::atomic;
  read.ordered = accesses && !info.read_only && read.kind != WaitKind::none;
  read.stores = kind == OpcodeClass::store || kind == OpcodeClass::atomic;
  if (read.kind == WaitKind::copy || read.kind == WaitKind::copy_wait) read.ordered = read.stores = false;
  read.exchanges = kind == OpcodeClass::warp_sync;
  const bool has_result = ptx::has_result(instruction);
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    add_registers(instruction.operands[i], i == 0 && has_result ? read.writes : read.reads);
  }
  if (instruction.guard) read.reads.push_back(instruction.guard->predicate);
  return read;
}

/// Finds loads of neighbouring words within a block, between stores to shared memory and barriers.
class LoadGroups {
 public:
  explicit LoadGroups(std::span<ScheduleTable::Instruction> instructions) : instructions_(instructions) {}

  void read(std::uint32_t index, const ptx::Instruction& text, const InstructionInfo& info) {
    const ScheduleTable::Instruction& instruction = instructions_[index];
    const bool shared_store = instruction.stores && instruction.space == MemorySpace::shared;
    if (shared_store || instruction.kind == WaitKind::barrier) end();
    if (const auto* address = scalar_shared_load(text, info)) {
      const auto* reg = std::get_if<ptx::RegisterRef>(&address->base);
      const auto* symbol = std::get_if<ptx::SymbolRef>(&address->base);
      if (reg != nullptr) by_register_[reg->index].try_emplace(address->offset, index);
      if (symbol != nullptr) by_symbol_[symbol->name].try_emplace(symbol->offset + address->offset, index);
    }
    for (const std::uint32_t reg : instruction.writes) {
      const auto found = by_register_.find(reg);
      if (found == by_register_.end()) continue;
      join(found->second);
      by_register_.erase(found);
    }
  }

  void end() {
    for (const auto& [reg, loads] : by_register_) join(loads);
    for (const auto& [symbol, loads] : by_symbol_) join(loads);
    by_register_.clear();
    by_symbol_.clear();
  }

 private:
  static constexpr std::int64_t kWord = 4;
  using Loads = std::map<std::int64_t, std::uint32_t>;  // by offset

  static const ptx::Address* scalar_shared_load(const ptx::Instruction& text, const InstructionInfo& info) {
    const bool wanted = info.opcode_class == OpcodeClass::load && info.space == MemorySpace::shared &&
                        info.bytes == kWord && !text.guard && text.operands.size() == 2 && !info.strong;
    return wanted ? std::get_if<ptx::Address>(&text.operands[1].value) : nullptr;
  }

  /// Cuts each run of neighbours into fours from its start, then a pair.
  void join(const Loads& loads) {
    for (auto at = loads.begin(); at != loads.end();) {
      std::int64_t run = 1;
      auto end = std::next(at);
      for (; end != loads.end() && end->first == at->first + run * kWord; ++end) ++run;
      std::int64_t done = 0;
      for (; run - done >= 4; done += 4) join(loads, at->first + done * kWord, 4);
      if (run - done >= 2) join(loads, at->first + done * kWord, 2);
      at = end;
    }
  }

  void join(const Loads& loads, std::int64_t offset, std::int64_t words) {
    std::uint32_t first = ~0u;
    for (std::int64_t i = 0; i < words; ++i) first = std::min(first, loads.at(offset + i * kWord));
    for (std::int64_t i = 0; i < words; ++i) {
      const std::uint32_t index = loads.at(offset + i * kWord);
      ScheduleTable::Instruction& load = instructions_[index];
      load.group_words = static_cast<std::uint8_t>(words);
      load.place_in_group = static_cast<std::uint8_t>(i);
      load.joined = index != first;
    }
  }

  std::span<ScheduleTable::Instruction> instructions_;
  std::map<std::uint32_t, Loads> by_register_;
  std::map<std::string, Loads> by_symbol_;
};

/// How many 32-bit registers a value takes; predicates have their own.
std::uint8_t words_of(const ptx::Register& reg) {
  if (reg.type == ptx::Type::pred) return 0;
  return static_cast<std::uint8_t>(std::max(1u, ptx::size_in_bytes(reg.type) / 4));
}

/// Shared memory is addressed by 32 bits: of a 64-bit address only the lower half is kept in a register.
void halve_shared_addresses(const ptx::Function& text, std::uint32_t first, const Program& program,
                            ScheduleTable::Function& function) {
  for (std::uint32_t i = 0; i < text.instructions.size(); ++i) {
    if (program.instruction(first + i).space != MemorySpace::shared) continue;
    for (const ptx::Operand& operand : text.instructions[i].operands) {
      const auto* address = std::get_if<ptx::Address>(&operand.value);
      const auto* base = address == nullptr ? nullptr : std::get_if<ptx::RegisterRef>(&address->base);
      if (base != nullptr) function.words[base->index] = 1;
    }
  }
}

/// Fills in what is alive when each block is entered. Parameters take no registers: instructions read them where they
/// are.
void find_alive(const ptx::Function& text, std::uint32_t first, const Program& program,
                const std::vector<ScheduleTable::Instruction>& all, ScheduleTable::Function& function) {
  const std::size_t registers = function.words.size();
  std::vector<bool> counted(registers, true);
  for (std::uint32_t i = 0; i < text.instructions.size(); ++i) {
    if (!program.instruction(first + i).parameter) continue;
    for (const std::uint32_t reg : all[first + i].writes) counted[reg] = false;
  }
  BlockUses uses(function.blocks.size(), registers);
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const ScheduleTable::Block& block = function.blocks[b];
    for (std::uint32_t i = block.first + block.count; i-- > block.first;) {
      const bool always = !text.instructions[i - first].guard;
      for (const std::uint32_t reg : all[i].writes) {
        if (always) uses.writes(b, reg);
      }
      for (const std::uint32_t reg : all[i].reads) uses.reads(b, reg);
    }
  }
  const RegisterSets alive = alive_at_entry(function.ways, uses, registers);
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    for (std::size_t word = 0; word < alive.words(); ++word) {
      RegisterSets::for_each(word, alive.of(b)[word], [&](std::uint32_t reg) {
        if (counted[reg]) function.blocks[b].alive += function.words[reg];
      });
    }
  }
}

/// Finds the atomics whose results are read.
void find_questions(const ScheduleTable::Function& function, const Program& program,
                    std::span<ScheduleTable::Instruction> all) {
  std::vector<bool> read(function.words.size());
  const auto for_each = [&](auto visit) {
    for (const ScheduleTable::Block& block : function.blocks) {
      for (std::uint32_t at = block.first; at < block.first + block.count; ++at) visit(at);
    }
  };
  for_each([&](std::uint32_t at) {
    for (const std::uint32_t reg : all[at].reads) read[reg] = true;
  });
  for_each([&](std::uint32_t at) {
    all[at].asks = program.instruction(at).opcode_class == OpcodeClass::atomic &&
                   std::ranges::any_of(all[at].writes, [&](std::uint32_t reg) { return read[reg]; });
  });
}

}  // namespace

ScheduleTable schedule_table(const ptx::Module& module, const Program& program) {
  ScheduleTable table;
  table.instructions.resize(program.instructions().size());
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ptx::Function& function = module.functions[i];
    const std::uint32_t first = program.functions()[i].first;
    for (std::uint32_t at = 0; at < function.instructions.size(); ++at) {
      table.instructions[first + at] = read_instruction(function.instructions[at], program.instruction(first + at));
    }
    LoadGroups groups(table.instructions);
    ScheduleTable::Function& made = table.functions.emplace_back();
    const std::vector<std::uint32_t> starts = block_starts(function, Labels::jumped_to);
    for (std::size_t b = 0; b < starts.size(); ++b) {
      const auto end = b + 1 < starts.size() ? starts[b + 1] : static_cast<std::uint32_t>(function.instructions.size());
      made.blocks.push_back({first + starts[b], end - starts[b]});
    }
    made.ways = ways_between(function, starts);
    for (const ScheduleTable::Block& block : made.blocks) {
      for (std::uint32_t at = block.first; at < block.first + block.count; ++at) {
        groups.read(at, function.instructions[at - first], program.instruction(at));
      }
      groups.end();
    }
    for (const ptx::Register& reg : function.registers) made.words.push_back(words_of(reg));
    halve_shared_addresses(function, first, program, made);
    find_alive(function, first, program, table.instructions, made);
    find_questions(made, program, table.instructions);
  }
  return table;
}

}  // namespace cudalabs::vgpu
