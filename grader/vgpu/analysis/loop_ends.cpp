// Natural loops, and the slices of what decides that they are left.
#include "vgpu/analysis/loop_ends.h"

#include <algorithm>
#include <set>

#include "vgpu/analysis/text_blocks.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

/// The text may be hostile.
constexpr std::size_t kMostLoops = 64, kMostInstructionsOfFunction = 4000;

bool copies(const ptx::Instruction& instruction) {
  return instruction.code == ptx::Opcode::mov || instruction.code == ptx::Opcode::cvt ||
         instruction.code == ptx::Opcode::cvta || is_load(instruction) || instruction.code == ptx::Opcode::st;
}

bool reads_clock(const ptx::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value);
    return special != nullptr &&
           (special->name.find("clock") != std::string::npos || special->name.find("timer") != std::string::npos);
  });
}

/// What it gives is another thing where other threads have got on, though nothing of this thread has changed.
bool depends_on_others(ptx::Opcode code) {
  const ptx::InstructionFacts& facts = ptx::facts_of(code);
  switch (facts.family) {
    case ptx::Family::active_mask:
    case ptx::Family::barrier:
    case ptx::Family::elect:
    case ptx::Family::match:
    case ptx::Family::vote:
      return true;
    default:
      return facts.gives_away == ptx::GivesAway::yes;
  }
}

bool is_logic(ptx::Opcode code) {
  return code == ptx::Opcode::and_ || code == ptx::Opcode::or_ || code == ptx::Opcode::not_ || code == ptx::Opcode::mov;
}

}  // namespace

std::size_t Loop::size() const {
  return static_cast<std::size_t>(std::ranges::count(blocks, true));
}

FunctionLoops::FunctionLoops(const ValueFlow& flow, std::uint32_t function) : flow_(flow), function_(function) {
  const ptx::Function& text = flow.module().functions[function];
  if (text.instructions.empty() || text.instructions.size() > kMostInstructionsOfFunction) return;
  starts_ = block_starts(text, Labels::jumped_to);
  ways_ = ways_between(text, starts_);
  before_ = predecessors(ways_);
  for (const auto& [from, head] : depth_first(ways_).backs) {
    auto loop = std::ranges::find(loops_, head, &Loop::head);
    if (loop == loops_.end()) {
      if (loops_.size() == kMostLoops) return;
      loops_.push_back({function, head, std::vector<bool>(starts_.size()), {}, false});
      loop = std::prev(loops_.end());
      loop->blocks[head] = true;
    }
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      if (loop->blocks[block]) continue;
      loop->blocks[block] = true;
      open.insert(open.end(), before_[block].begin(), before_[block].end());
    }
  }
  std::ranges::stable_sort(loops_, {}, &Loop::size);
  for (Loop& loop : loops_) add_exits(loop);
}

std::uint32_t FunctionLoops::block_at(std::uint32_t instruction) const {
  return block_of(starts_, instruction);
}

std::uint32_t FunctionLoops::end_of(std::size_t block) const {
  return block + 1 < starts_.size()
             ? starts_[block + 1]
             : static_cast<std::uint32_t>(flow_.module().functions[function_].instructions.size());
}

bool FunctionLoops::holds(const Loop& loop, CodePlace place) const {
  return place.function == function_ && loop.blocks[block_at(place.instruction)];
}

std::vector<CodePlace> FunctionLoops::sources_in(const Loop& loop, const std::vector<CodePlace>& from) const {
  return flow_.all_sources(from, [&](CodePlace place) { return holds(loop, place); });
}

bool FunctionLoops::accumulates(const Loop& loop, CodePlace place) const {
  const std::vector<CodePlace> sources = sources_in(loop, {place});
  return std::ranges::find(sources, place) != sources.end();
}

bool FunctionLoops::is_past_only_exit(const Loop& loop, CodePlace place) const {
  if (!holds(loop, place)) return false;
  const auto& instructions = flow_.module().functions[function_].instructions;
  for (std::uint32_t block = 0; block < starts_.size(); ++block) {
    if (!loop.blocks[block]) continue;
    // What is called may end the thread.
    for (std::uint32_t i = starts_[block]; i < end_of(block); ++i)
      if (instructions[i].code == ptx::Opcode::call) return false;
    if (block == loop.head) continue;
    // Nor is it entered anywhere else.
    const bool entered = std::ranges::any_of(before_[block], [&](std::uint32_t from) { return !loop.blocks[from]; });
    if (entered || may_leave(loop, block)) return false;
  }
  return block_at(place.instruction) != loop.head || !may_leave(loop, loop.head);
}

bool FunctionLoops::may_skip(const Loop& loop, std::span<const CodePlace> stores, CodePlace load) const {
  if (!holds(loop, load)) return false;
  const std::uint32_t goal = block_at(load.instruction);
  // In one round: no way leads to the head again.
  const auto reached = [&](std::uint32_t from, const std::vector<bool>& closed) {
    std::vector<bool> seen(starts_.size());
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      if (seen[block] || closed[block]) continue;
      seen[block] = true;
      for (const std::uint32_t next : ways_[block])
        if (loop.blocks[next] && next != loop.head) open.push_back(next);
    }
    return static_cast<bool>(seen[goal]);
  };
  std::vector<bool> fills(starts_.size());
  bool any = false;
  for (const CodePlace store : stores) {
    if (!holds(loop, store)) continue;
    const std::uint32_t block = block_at(store.instruction);
    if (block == goal && store.instruction < load.instruction) return false;
    if (block == goal || !reached(block, std::vector<bool>(starts_.size()))) continue;
    fills[block] = any = true;
  }
  return any && reached(loop.head, fills);
}

/// The comparisons that the predicate is computed from.
void FunctionLoops::add_comparisons(Loop& loop, std::uint32_t predicate, std::set<CodePlace>& found) const {
  const ptx::Function& text = flow_.module().functions[function_];
  std::vector<std::uint32_t> open = flow_.definitions(function_, predicate);
  if (open.empty()) loop.other_exits = true;  // nobody knows what sets it
  std::set<std::uint32_t> seen;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    const ptx::Instruction& decides = text.instructions[at];
    if (decides.code == ptx::Opcode::setp) {
      found.insert({function_, at});
    } else if (is_logic(decides.code)) {
      for (const CodePlace source : flow_.sources({function_, at})) open.push_back(source.instruction);
      // These may be computed from the predicate itself.
      for (const std::uint32_t reg : deciding_predicates(loop, {function_, at})) {
        const std::vector<std::uint32_t> further = flow_.definitions(function_, reg);
        open.insert(open.end(), further.begin(), further.end());
      }
    } else {
      loop.other_exits = true;
    }
  }
}

/// Where a register gets its value in several places of the loop, as that of a `break` or of `&&` does: what decides
/// which of them it is.
std::vector<std::uint32_t> FunctionLoops::deciding_predicates(const Loop& loop, CodePlace place) const {
  const ptx::Function& text = flow_.module().functions[function_];
  std::set<std::uint32_t> predicates;
  const auto add_guard = [&](std::uint32_t block) {
    const auto& guard = text.instructions[end_of(block) - 1].guard;
    if (loop.blocks[block] && guard) predicates.insert(guard->predicate);
  };
  std::vector<CodePlace> sources = sources_in(loop, {place});
  sources.push_back(place);
  for (const CodePlace source : sources) {
    const ptx::Instruction& move = flow_.at(source);
    if (move.code != ptx::Opcode::mov || !holds(loop, source)) continue;
    const auto* reg = std::get_if<ptx::RegisterRef>(&move.operands.front().value);
    if (reg == nullptr) continue;
    std::vector<std::uint32_t> ways = flow_.definitions(function_, reg->index);
    std::erase_if(ways, [&](std::uint32_t at) { return !holds(loop, {function_, at}); });
    if (ways.size() < 2) continue;
    for (const std::uint32_t at : ways) {
      add_guard(block_at(at));
      for (const std::uint32_t before : before_[block_at(at)]) add_guard(before);
    }
  }
  return {predicates.begin(), predicates.end()};
}

bool FunctionLoops::may_leave(const Loop& loop, std::uint32_t block) const {
  const ptx::Instruction& last = flow_.module().functions[function_].instructions[end_of(block) - 1];
  return ptx::facts_of(last.code).flow == ptx::Flow::end ||
         std::ranges::any_of(ways_[block], [&](std::uint32_t next) { return !loop.blocks[next]; });
}

void FunctionLoops::add_exits(Loop& loop) const {
  const ptx::Function& text = flow_.module().functions[function_];
  std::set<CodePlace> comparisons;
  for (std::uint32_t block = 0; block < starts_.size(); ++block) {
    if (!loop.blocks[block]) continue;
    if (!may_leave(loop, block)) continue;
    const ptx::Instruction& last = text.instructions[end_of(block) - 1];
    if (last.guard) {
      add_comparisons(loop, last.guard->predicate, comparisons);
    } else {
      loop.other_exits = true;
    }
  }
  std::set<std::uint32_t> followed;
  for (bool more = true; more && comparisons.size() < kMostLoops;) {
    more = false;
    for (const CodePlace comparison : std::set(comparisons)) {
      for (const std::uint32_t predicate : deciding_predicates(loop, comparison)) {
        if (!followed.insert(predicate).second) continue;
        add_comparisons(loop, predicate, comparisons);
        more = loop.other_exits = true;
      }
    }
  }
  for (const CodePlace comparison : comparisons) loop.exits.push_back(exit_by(loop, comparison));
}

/// What the instruction computes is in its register alone, and no other instruction writes there.
bool FunctionLoops::is_set_once(CodePlace place) const {
  const ptx::Instruction& instruction = flow_.at(place);
  if (is_store(instruction) || instruction.operands.empty()) return false;
  const auto* reg = std::get_if<ptx::RegisterRef>(&instruction.operands.front().value);
  return reg != nullptr && flow_.definitions(function_, reg->index).size() == 1;
}

LoopExit FunctionLoops::exit_by(const Loop& loop, CodePlace comparison) const {
  LoopExit exit;
  exit.comparison = comparison;
  const std::vector<CodePlace> in_loop = sources_in(loop, {comparison});
  exit.steady = std::ranges::all_of(in_loop, [&](CodePlace source) { return is_set_once(source); });
  const ptx::Function& text = flow_.module().functions[function_];
  for (const CodePlace source : in_loop) {
    const ptx::Instruction& instruction = flow_.at(source);
    if (is_load(instruction)) {
      const ReachedMemory& memory = flow_.memory_of(source);
      const bool own = memory.kind == ReachedMemory::Kind::local && !memory.indexed;
      const bool argument = has_suffix_named(instruction, "param") && text.is_entry;
      exit.data = exit.data || (!own && !argument) || (argument && !flow_.sources(source).empty());
    } else if (!copies(instruction)) {
      if (depends_on_others(instruction.code)) exit.data = true;
      if (!accumulates(loop, source)) continue;
      exit.changes = true;
      exit.halves = exit.halves || instruction.code == ptx::Opcode::shr || instruction.code == ptx::Opcode::div;
    } else if (reads_clock(instruction)) {
      exit.data = true;
    }
  }
  for (const ptx::Operand& operand : flow_.at(comparison).operands) {
    const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value);
    if (reg == nullptr) continue;
    if (flow_.definitions(function_, reg->index).empty()) exit.data = true;  // nobody knows what sets it
    if (text.registers[reg->index].type == ptx::Type::pred) continue;
    if (changes_in(loop, reg->index)) continue;
    if (!exit.bound) exit.bound = bound_of(reg->index);
    std::vector<CodePlace> places;
    for (const std::uint32_t definition : flow_.definitions(function_, reg->index))
      places.push_back({function_, definition});
    const std::vector<CodePlace> further = flow_.all_sources(places, [](CodePlace) { return true; });
    places.insert(places.end(), further.begin(), further.end());
    exit.to_variable = exit.to_variable || std::ranges::any_of(places, [&](CodePlace place) {
                         return is_load(flow_.at(place)) && flow_.sources(place).empty();
                       });
  }
  return exit;
}

/// Some round of the loop computes the register's value out of that of the round before.
bool FunctionLoops::changes_in(const Loop& loop, std::uint32_t reg) const {
  std::vector<CodePlace> places;
  for (const std::uint32_t definition : flow_.definitions(function_, reg)) places.push_back({function_, definition});
  const std::vector<CodePlace> further = sources_in(loop, places);
  places.insert(places.end(), further.begin(), further.end());
  return std::ranges::any_of(places, [&](CodePlace place) {
    return holds(loop, place) && !copies(flow_.at(place)) && accumulates(loop, place);
  });
}

/// Where the register's value is computed; not where it is a parameter or a number.
std::optional<CodePlace> FunctionLoops::bound_of(std::uint32_t reg) const {
  std::vector<CodePlace> open;
  for (const std::uint32_t definition : flow_.definitions(function_, reg)) open.push_back({function_, definition});
  std::set<CodePlace> seen;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!seen.insert(open[i]).second) continue;
    if (open[i].function == function_ && !copies(flow_.at(open[i]))) return open[i];
    const std::span<const CodePlace> sources = flow_.sources(open[i]);
    open.insert(open.end(), sources.begin(), sources.end());
  }
  return std::nullopt;
}

}  // namespace cudalabs::vgpu
