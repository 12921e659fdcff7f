// One function after the other: its blocks, the ways between them, and which of a branch's sides comes next.
#include "vgpu/profile/branch_table.h"

#include <set>
#include <span>

#include "vgpu/analysis/text_blocks.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

class FunctionReader {
 public:
  FunctionReader(const ptx::Function& function, const Program& program, std::uint32_t first_instruction,
                 BranchTable& table)
      : code_(function.instructions),
        function_(function),
        program_(program),
        first_instruction_(first_instruction),
        first_block_(static_cast<std::uint32_t>(table.blocks.size())),
        table_(table) {}

  void read() {
    if (code_.empty()) return;
    starts_ = block_starts(function_, Labels::all);
    for (std::size_t i = 0; i < starts_.size(); ++i) add_block(i);
    for (std::size_t i = 0; i < starts_.size(); ++i) add_ways(i);
  }

 private:
  std::uint32_t end_of(std::size_t block) const {
    return block + 1 < starts_.size() ? starts_[block + 1] : static_cast<std::uint32_t>(code_.size());
  }

  /// Guarded instructions are counted for the threads whose predicate holds, branches for all that come to them.
  static bool counts_all(const ptx::Instruction& instruction) {
    return !instruction.guard || ptx::facts_of(instruction.code).counts_all();
  }

  void add_block(std::size_t block) {
    BranchTable::Block& added = table_.blocks.emplace_back();
    added.entry = block == 0;
    const std::uint32_t end = end_of(block);
    for (std::uint32_t i = starts_[block]; i < end; ++i) {
      if (!counts_all(code_[i])) continue;
      if (!added.first) added.first = first_instruction_ + i;
      added.last = first_instruction_ + i;
    }
    // Some of the threads that come to a guarded `ret` are gone after it.
    const bool ends = ptx::facts_of(code_[end - 1].code).ends_block();
    if (ends && !counts_all(code_[end - 1])) added.last.reset();
  }

  std::uint32_t block_at(std::uint32_t instruction) const { return first_block_ + block_of(starts_, instruction); }

  /// Nothing for the place behind the last instruction: threads that go there leave the function.
  std::optional<std::uint32_t> add_way(std::size_t from, std::uint32_t to) {
    if (to >= code_.size()) return std::nullopt;
    const auto way = static_cast<std::uint32_t>(table_.ways.size());
    table_.ways.push_back({first_block_ + static_cast<std::uint32_t>(from), block_at(to)});
    table_.blocks[table_.ways[way].from].out.push_back(way);
    table_.blocks[table_.ways[way].to].in.push_back(way);
    return way;
  }

  void add_ways(std::size_t block) {
    const std::uint32_t end = end_of(block);
    const ptx::Instruction& last = code_[end - 1];
    const std::vector<std::uint32_t> targets = targets_of(function_, last);
    if (ptx::facts_of(last.code).flow == ptx::Flow::jump && last.guard) return add_branch(block, end, targets.front());
    // Places may stand in a jump table more than once; together they are one way.
    std::set<std::uint32_t> ends(targets.begin(), targets.end());
    if (may_go_on(last)) ends.insert(end);
    for (const std::uint32_t to : ends) leave(block, to);
  }

  void leave(std::size_t block, std::uint32_t to) {
    if (!add_way(block, to)) forget_leaving(block);
  }

  /// Threads leave the function here too: what goes out is not all that comes to the end.
  void forget_leaving(std::size_t block) { table_.blocks[first_block_ + block].last.reset(); }

  void add_branch(std::size_t block, std::uint32_t after, std::uint32_t target) {
    if (after == target) return leave(block, after);
    const auto straight = add_way(block, after), aside = add_way(block, target);
    if (!straight || !aside) return forget_leaving(block);
    const SourcePlace where = place_before(starts_[block], after - 1);
    if (!where.known()) return;
    const std::uint32_t one = goes_on_at(after, where), two = goes_on_at(target, where);
    BranchTable::Side straight_side{*straight, place_at(one)}, aside_side{*aside, place_at(two)};
    // Compilers negate conditions and put jumps between as they like, but keep the order of the text.
    const bool straight_is_next = (one >= after) != (two >= after) ? one >= after : one <= two;
    if (!straight_is_next) std::swap(straight_side, aside_side);
    table_.branches.push_back({where, straight_side, aside_side});
  }

  /// Where threads that come to `instruction` first do something that stands in the source, other than finishing the
  /// branch at `where`.
  std::uint32_t goes_on_at(std::uint32_t instruction, const SourcePlace& where) const {
    constexpr std::size_t kMostSteps = 1000;  // a ring of jumps leads nowhere
    for (std::size_t steps = 0; steps < kMostSteps && instruction < code_.size(); ++steps) {
      const ptx::Instruction& here = code_[instruction];
      const bool jumps = here.code == ptx::Opcode::bra && !here.guard;
      const bool in_source = here.location.line != 0 && !(jumps && place_at(instruction) == where);
      if (in_source) break;
      instruction = jumps ? targets_of(function_, here).front() : instruction + 1;
    }
    return instruction;
  }

  SourcePlace place_at(std::uint32_t instruction) const {
    return instruction < code_.size() ? program_.location(first_instruction_ + instruction) : SourcePlace{};
  }

  SourcePlace place_before(std::uint32_t first, std::uint32_t instruction) const {
    while (instruction > first && code_[instruction].location.line == 0) --instruction;
    return place_at(instruction);
  }

  std::span<const ptx::Instruction> code_;
  const ptx::Function& function_;
  const Program& program_;
  std::uint32_t first_instruction_, first_block_;
  std::vector<std::uint32_t> starts_;  // of blocks, in code_
  BranchTable& table_;
};

}  // namespace

BranchTable branch_table(const ptx::Module& module, const Program& program) {
  BranchTable table;
  const auto next = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const FunctionInfo& info = program.functions()[i];
    BranchTable::Function function{
        {info.first, info.count}, {next(table.blocks), 0}, {next(table.ways), 0}, {next(table.branches), 0}};
    FunctionReader(module.functions[i], program, info.first, table).read();
    function.blocks.count = next(table.blocks) - function.blocks.first;
    function.ways.count = next(table.ways) - function.ways.first;
    function.branches.count = next(table.branches) - function.branches.first;
    table.functions.push_back(function);
  }
  return table;
}

}  // namespace cudalabs::vgpu
