// One function after the other: which blocks of instructions reach which, and where the values of strong loads go.
#include "vgpu/check/instruction_roles.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/profile/schedule_table.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

bool is_strong_load(const InstructionInfo& info) {
  return info.opcode_class == OpcodeClass::load && info.strong;
}

bool is_barrier(const InstructionInfo& info) {
  return ptx::facts_of(info.opcode).family == ptx::Family::barrier;
}

/// Of memory that other threads may write.
bool is_plain_load(const InstructionInfo& info) {
  return info.opcode_class == OpcodeClass::load && !info.strong && info.space != MemorySpace::local &&
         info.space != MemorySpace::constant;
}

bool has_suffix(const ptx::Instruction& text, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(text.suffixes, [&](const std::string& suffix) {
    return std::ranges::find(names, std::string_view(suffix)) != names.end();
  });
}

/// A load of the language's atomics, which unlike a volatile one is no race with writes of them, whatever its value is
/// used for.
bool is_atomic_load(const ptx::Instruction& text, const InstructionInfo& info) {
  return is_strong_load(info) && has_suffix(text, {"relaxed", "acquire"});
}

bool counts(const ptx::Instruction& text, const InstructionInfo& info) {
  return info.opcode_class == OpcodeClass::atomic && has_suffix(text, {"add", "inc", "dec"});
}

bool is_zero(const ptx::Operand& operand) {
  const auto* integer = std::get_if<ptx::IntegerImmediate>(&operand.value);
  return integer != nullptr && integer->bits == 0;
}

/// Registers are all that it reads and writes.
bool only_computes(const InstructionInfo& info) {
  switch (info.opcode_class) {
    case OpcodeClass::integer:
    case OpcodeClass::float16:
    case OpcodeClass::float32:
    case OpcodeClass::float64:
    case OpcodeClass::special_function:
    case OpcodeClass::conversion:
    case OpcodeClass::float64_conversion:
    case OpcodeClass::comparison:
    case OpcodeClass::move:
      return ptx::facts_of(info.opcode).gives_away == ptx::GivesAway::no;
    default:
      return false;
  }
}

class FunctionReader {
 public:
  FunctionReader(const ptx::Function& text, std::uint32_t first, const Program& program, const ScheduleTable& table,
                 const ScheduleTable::Function& function, std::vector<InstructionRole>& roles,
                 std::map<std::uint32_t, BarrierPlace>& barriers)
      : text_(text.instructions),
        results_(text.results),
        registers_(text.registers.size()),
        first_(first),
        program_(program),
        table_(table),
        function_(function),
        roles_(roles),
        barriers_(barriers) {}

  void read() {
    if (text_.size() > kMostInstructions) return;
    int followed = 0, plain_followed = 0, barriers_placed = 0;
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      const ScheduleTable::Block& here = function_.blocks[block];
      std::vector<bool> reached;  // asked for once, where it is needed
      for (std::uint32_t at = here.first; at < here.first + here.count; ++at) {
        const InstructionInfo& info = program_.instruction(at);
        roles_[at].compares_and_swaps = info.compares_and_swaps;
        roles_[at].only_looks = info.opcode_class == OpcodeClass::atomic && changes_nothing(text_[at - first_]);
        roles_[at].counts = counts(text_[at - first_], info) && !roles_[at].only_looks;
        const bool strong_load = is_strong_load(info) || info.opcode_class == OpcodeClass::atomic;
        const bool plain_load = is_plain_load(info) && plain_followed < kMostFollowed;
        if (!strong_load && !plain_load && !is_barrier(info)) continue;
        if (reached.empty()) reached = reached_from(function_.ways, block);
        if (!plain_load) roles_[at].in_loop = reached[block];
        roles_[at].waits_each_round = plain_load && reached[block] && !goes_round_without_barrier(block);
        if (is_barrier(info) && reached[block] && barriers_placed++ < kMostFollowed)
          barriers_.emplace(at, barrier_place(function_, block));
        plain_followed += plain_load ? 1 : 0;
        if (plain_load || (strong_load && followed < kMostFollowed)) {
          followed += strong_load ? 1 : 0;
          roles_[at].use = use_of(at, block, reached);
        }
        LoadUse& use = roles_[at].use;
        if ((use == LoadUse::data || use == LoadUse::unknown) && is_atomic_load(text_[at - first_], info)) {
          use = LoadUse::atomic;
        }
      }
    }
  }

 private:
  /// A loop around the block has a way through it on which no barrier of the block of threads is.
  bool goes_round_without_barrier(std::uint32_t block) {
    const auto has_barrier = [&](std::uint32_t other) {
      const ScheduleTable::Block& there = function_.blocks[other];
      for (std::uint32_t at = there.first; at < there.first + there.count; ++at) {
        const InstructionInfo& info = program_.instruction(at);
        if (is_barrier(info) && info.opcode_class != OpcodeClass::warp_sync) return true;
      }
      return false;
    };
    if (ways_without_barrier_.empty()) {
      ways_without_barrier_ = function_.ways;
      for (std::uint32_t other = 0; other < function_.blocks.size(); ++other)
        if (has_barrier(other)) ways_without_barrier_[other].clear();
    }
    return reached_from(ways_without_barrier_, block)[block];
  }

  /// Seen where the operand is 0 itself, or a register that nothing but 0 is moved to.
  bool changes_nothing(const ptx::Instruction& atomic) const {
    if (!has_suffix(atomic, {"add", "or", "xor"}) || atomic.operands.empty()) return false;
    const ptx::Operand& change = atomic.operands.back();
    const auto* reg = std::get_if<ptx::RegisterRef>(&change.value);
    if (reg == nullptr) return is_zero(change);
    bool set = false;
    for (std::uint32_t i = 0; i < text_.size(); ++i) {
      if (std::ranges::find(table_.instructions[first_ + i].writes, reg->index) ==
          table_.instructions[first_ + i].writes.end())
        continue;
      const bool zero =
          text_[i].code == ptx::Opcode::mov && text_[i].operands.size() == 2 && is_zero(text_[i].operands[1]);
      if (!zero) return false;
      set = true;
    }
    return set;
  }

  /// Follows the value of the load at `load` wherever it may go, whatever the order of the instructions.
  LoadUse use_of(std::uint32_t load, std::uint32_t block, const std::vector<bool>& reached) const {
    std::vector<bool> holds(registers_);
    for (const std::uint32_t reg : table_.instructions[load].writes) holds[reg] = true;
    bool local_holds = false, is_data = false, is_returned = false, matters = false, changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t i = 0; i < text_.size(); ++i) {
        const ScheduleTable::Instruction& uses = table_.instructions[first_ + i];
        const InstructionInfo& info = program_.instruction(first_ + i);
        const bool local = info.space == MemorySpace::local;
        const bool from_local = local_holds && local && info.opcode_class == OpcodeClass::load;
        if (!from_local && std::ranges::none_of(uses.reads, [&](std::uint32_t reg) { return holds[reg]; })) continue;
        if (local && info.opcode_class == OpcodeClass::store) {
          changed = changed || !local_holds;
          local_holds = true;
        } else if (!from_local && ptx::facts_of(info.opcode).gives_away == ptx::GivesAway::yes) {
          (returns(text_[i]) ? is_returned : is_data) = true;
        }
        matters = matters || !only_computes(info) || (text_[i].guard && holds[text_[i].guard->predicate]);
        for (const std::uint32_t reg : uses.writes) {
          if (holds[reg]) continue;
          holds[reg] = true;
          changed = true;
        }
      }
    }
    if (!matters) return LoadUse::none;
    if (ends_loop(block, reached, holds)) return LoadUse::wait;
    if (is_data) return LoadUse::data;
    return is_returned ? LoadUse::unknown : LoadUse::question;
  }

  /// A store to what the function gives its caller.
  bool returns(const ptx::Instruction& instruction) const {
    if (instruction.code != ptx::Opcode::st || instruction.operands.empty()) return false;
    const auto* address = std::get_if<ptx::Address>(&instruction.operands.front().value);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&address->base);
    return symbol != nullptr &&
           std::ranges::any_of(results_, [&](const ptx::Variable& result) { return result.name == symbol->name; });
  }

  /// Does a branch on one of the registers decide whether a loop goes on that `block` is in?
  bool ends_loop(std::uint32_t block, const std::vector<bool>& reached, const std::vector<bool>& holds) const {
    if (!reached[block]) return false;
    for (std::uint32_t other = 0; other < function_.blocks.size(); ++other) {
      if (other != block && !reached[other]) continue;
      const ScheduleTable::Block& there = function_.blocks[other];
      const ptx::Instruction& last = text_[there.first + there.count - 1 - first_];
      const bool decides = last.guard && holds[last.guard->predicate];
      if (decides && (other == block || reached_from(function_.ways, other)[block])) return true;
    }
    return false;
  }

  // What follows values takes time that grows with the square of the text, and the text may be hostile.
  static constexpr std::size_t kMostInstructions = 20000;
  static constexpr int kMostFollowed = 100;

  const std::vector<ptx::Instruction>& text_;
  const std::vector<ptx::Variable>& results_;
  std::size_t registers_;
  std::uint32_t first_;
  const Program& program_;
  const ScheduleTable& table_;
  const ScheduleTable::Function& function_;
  Ways ways_without_barrier_;  // made when it is asked for first
  std::vector<InstructionRole>& roles_;
  std::map<std::uint32_t, BarrierPlace>& barriers_;
};

}  // namespace

InstructionRoles instruction_roles(const ptx::Module& module, const Program& program) {
  std::vector<InstructionRole> roles(program.instructions().size());
  const bool needed = std::ranges::any_of(program.instructions(), [](const InstructionInfo& info) {
    return is_strong_load(info) || is_barrier(info) || info.opcode_class == OpcodeClass::atomic;
  });
  if (!needed) return InstructionRoles(std::move(roles));
  const ScheduleTable table = schedule_table(module, program);
  std::map<std::uint32_t, BarrierPlace> barriers;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const std::uint32_t first = program.functions()[i].first;
    FunctionReader(module.functions[i], first, program, table, table.functions[i], roles, barriers).read();
  }
  return InstructionRoles(std::move(roles), std::move(barriers));
}

}  // namespace cudalabs::vgpu
