// Control dependence: a block depends on a branch where one of its ways always comes to the block, and not all do.
#include "vgpu/analysis/thread_guards.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "vgpu/analysis/text_blocks.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

/// The text may be hostile.
constexpr std::size_t kMostBlocks = 400, kMostGuards = 8, kMostLoads = 16;

bool reads_thread_number(const ptx::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value);
    return special != nullptr && (special->name.starts_with("%tid") || special->name == "%laneid");
  });
}

bool any_reads_thread_number(const ValueFlow& flow, const std::vector<CodePlace>& places) {
  return std::ranges::any_of(places, [&](CodePlace place) { return reads_thread_number(flow.at(place)); });
}

/// For the block, or for lanes of the warp.
bool waits_for_others(const ValueFlow& flow, CodePlace place) {
  const ptx::Family family = ptx::facts_of(flow.at(place).code).family;
  return family == ptx::Family::barrier || family == ptx::Family::shuffle || family == ptx::Family::vote ||
         family == ptx::Family::match;
}

bool is_shared_access(const ValueFlow& flow, CodePlace place) {
  const ptx::Instruction& instruction = flow.at(place);
  return (is_load(instruction) || is_store(instruction)) && !has_suffix_named(instruction, "param") &&
         flow.memory_of(place).kind != ReachedMemory::Kind::local;
}

class FunctionGuards {
 public:
  FunctionGuards(const ValueFlow& flow, const FunctionLoops& loops, std::uint32_t function)
      : flow_(flow),
        loops_(loops),
        function_(function),
        text_(flow.module().functions[function]),
        starts_(block_starts(text_, Labels::jumped_to)) {
    if (starts_.empty() || starts_.size() > kMostBlocks) return;
    ways_ = ways_between(text_, starts_);
    before_ = predecessors(ways_);
    find_ends();
    find_branches();
  }

  void read(std::map<CodePlace, std::vector<ThreadGuard>>& guards) const {
    if (branches_.empty()) return;
    for (std::uint32_t block = 0; block < starts_.size(); ++block) {
      std::optional<std::vector<ThreadGuard>> around;
      for (std::uint32_t i = starts_[block]; i < end_of(block); ++i) {
        const CodePlace place{function_, i};
        const bool is_call = flow_.at(place).code == ptx::Opcode::call;
        if (!is_shared_access(flow_, place) && !waits_for_others(flow_, place) && !is_call) continue;
        if (!around) around = guards_of(block);
        if (!around->empty()) guards.emplace(place, *around);
      }
    }
  }

 private:
  std::uint32_t end_of(std::size_t block) const {
    return block + 1 < starts_.size() ? starts_[block + 1] : static_cast<std::uint32_t>(text_.instructions.size());
  }

  void find_ends() {
    for (std::uint32_t block = 0; block < starts_.size(); ++block) {
      const ptx::Instruction& last = text_.instructions[end_of(block) - 1];
      const bool falls_out = may_go_on(last) && end_of(block) == text_.instructions.size();
      if (ptx::facts_of(last.code).flow == ptx::Flow::end || falls_out) ends_.push_back(block);
    }
  }

  /// By block: whether a thread that comes there may come to the end without `without`.
  std::vector<bool> may_end(std::optional<std::uint32_t> without) const {
    std::vector<bool> may(starts_.size());
    std::vector<std::uint32_t> open;
    const auto add = [&](std::uint32_t block) {
      if (block == without || may[block]) return;
      may[block] = true;
      open.push_back(block);
    };
    for (const std::uint32_t end : ends_) add(end);
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      for (const std::uint32_t from : before_[block]) add(from);
    }
    return may;
  }

  /// Blocks whose ways out a condition on the thread decides.
  void find_branches() {
    for (std::uint32_t block = 0; block < starts_.size(); ++block) {
      if (ways_[block].size() < 2) continue;
      const ptx::Instruction& last = text_.instructions[end_of(block) - 1];
      if (last.guard && depends_on_thread(last.guard->predicate)) branches_.insert(block);
    }
  }

  bool depends_on_thread(std::uint32_t predicate) const {
    std::vector<CodePlace> places;
    for (const std::uint32_t definition : flow_.definitions(function_, predicate))
      places.push_back({function_, definition});
    const std::vector<CodePlace> further = flow_.all_sources(places, [](CodePlace) { return true; });
    places.insert(places.end(), further.begin(), further.end());
    if (any_reads_thread_number(flow_, places)) return true;
    std::size_t left = kMostLoads;
    return std::ranges::any_of(places, [&](CodePlace place) {
      if (left == 0 || !is_load(flow_.at(place)) || !is_shared_access(flow_, place)) return false;
      --left;
      return address_has_thread(place);
    });
  }

  bool address_has_thread(CodePlace load) const {
    std::vector<CodePlace> places = flow_.address_sources(load);
    if (any_reads_thread_number(flow_, places)) return true;
    return any_reads_thread_number(flow_, flow_.all_sources(places, [](CodePlace) { return true; }));
  }

  /// The branches that the block depends on at once.
  std::vector<std::uint32_t> deciding(std::uint32_t block) const {
    const std::vector<bool> may = may_end(std::nullopt), without = may_end(block);
    const auto always_comes = [&](std::uint32_t from) { return from == block || (may[from] && !without[from]); };
    std::vector<std::uint32_t> found;
    for (std::uint32_t from = 0; from < starts_.size(); ++from) {
      if (ways_[from].size() < 2 || !may[from]) continue;
      const bool one_way = std::ranges::any_of(ways_[from], always_comes);
      if (one_way && !std::ranges::all_of(ways_[from], always_comes)) found.push_back(from);
    }
    return found;
  }

  std::vector<ThreadGuard> guards_of(std::uint32_t block) const {
    std::set<std::uint32_t> known;
    std::vector<std::uint32_t> open{block};
    for (std::size_t i = 0; i < open.size() && known.size() < kMostGuards; ++i) {
      for (const std::uint32_t branch : deciding(open[i]))
        if (known.insert(branch).second) open.push_back(branch);
    }
    std::vector<ThreadGuard> guards;
    for (const std::uint32_t branch : known)
      if (branches_.contains(branch)) guards.push_back(guard_by(branch, block));
    // The text has what is outside first.
    std::ranges::sort(guards, {}, [](const ThreadGuard& guard) { return guard.branch; });
    return guards;
  }

  ThreadGuard guard_by(std::uint32_t branch, std::uint32_t block) const {
    ThreadGuard guard{{function_, end_of(branch) - 1}, false, false};
    for (const Loop& loop : loops_.loops()) {
      if (!loop.blocks[branch] || !loop.blocks[block]) continue;
      const bool may_leave = std::ranges::any_of(ways_[branch], [&](std::uint32_t next) { return !loop.blocks[next]; });
      (may_leave ? guard.ends_loop : guard.in_loop) = true;
    }
    return guard;
  }

  const ValueFlow& flow_;
  const FunctionLoops& loops_;
  std::uint32_t function_;
  const ptx::Function& text_;
  std::vector<std::uint32_t> starts_;
  Ways ways_, before_;
  std::vector<std::uint32_t> ends_;
  std::set<std::uint32_t> branches_;
};

}  // namespace

namespace {

/// Of a function that is called in one place, what is around that; the outermost first.
std::vector<ThreadGuard> guards_of_caller(const std::vector<std::vector<CodePlace>>& callers, std::uint32_t function,
                                          const std::map<CodePlace, std::vector<ThreadGuard>>& guards) {
  constexpr int kDeepest = 8;
  std::vector<ThreadGuard> around;
  for (int depth = 0; depth < kDeepest; ++depth) {
    const std::vector<CodePlace>& calls = callers[function];
    if (calls.size() != 1) break;
    if (const auto found = guards.find(calls.front()); found != guards.end())
      around.insert(around.begin(), found->second.begin(), found->second.end());
    function = calls.front().function;
  }
  return around;
}

}  // namespace

std::map<CodePlace, std::vector<ThreadGuard>> thread_guards(const ValueFlow& flow,
                                                            const std::vector<FunctionLoops>& loops) {
  std::map<CodePlace, std::vector<ThreadGuard>> guards;
  for (std::uint32_t f = 0; f < loops.size(); ++f) FunctionGuards(flow, loops[f], f).read(guards);
  const std::vector<std::vector<CodePlace>> callers = flow.callers();
  for (std::uint32_t f = 0; f < loops.size(); ++f) {
    const std::vector<ThreadGuard> around = guards_of_caller(callers, f, guards);
    for (std::uint32_t i = 0; !around.empty() && i < flow.module().functions[f].instructions.size(); ++i) {
      if (!waits_for_others(flow, {f, i}) && !is_shared_access(flow, {f, i})) continue;
      std::vector<ThreadGuard>& own = guards[{f, i}];
      own.insert(own.begin(), around.begin(), around.end());
    }
  }
  return guards;
}

}  // namespace cudalabs::vgpu
