// Solves the flow of threads: a block with one way left of which the count is unknown tells it.
#include "vgpu/profile/branch_counts.h"

#include <algorithm>
#include <optional>

namespace cudalabs::vgpu {
namespace {

/// Takes time in proportion to the function's size, whatever its shape: programs may be hostile.
class Flow {
 public:
  Flow(const BranchTable& table, const BranchTable::Function& function, std::span<const std::uint64_t> lanes)
      : table_(table), function_(function), ways_(function.ways.count) {
    const auto executed = [&](std::optional<std::uint32_t> instruction) -> std::optional<std::uint64_t> {
      if (!instruction) return std::nullopt;
      return lanes.empty() ? 0 : lanes[*instruction - function.instructions.first];
    };
    for (std::uint32_t block = 0; block < function.blocks.count; ++block) {
      const BranchTable::Block& code = block_at(block);
      in_.push_back({code.in.size(), code.entry ? std::nullopt : executed(code.first)});
      out_.push_back({code.out.size(), executed(code.last)});
    }
    for (std::uint32_t block = 0; block < function.blocks.count; ++block) {
      solve(in_[block], block_at(block).in);
      solve(out_[block], block_at(block).out);
      while (!solved_.empty()) spread();
    }
  }

  /// `way`: into the table's.
  std::optional<std::uint64_t> threads(std::uint32_t way) const { return ways_[way - function_.ways.first]; }

 private:
  /// The ways into a block, or out of it.
  struct End {
    std::size_t unknown = 0;
    std::optional<std::uint64_t> rest;  // threads on the unknown ones; nothing where that cannot be told
  };

  const BranchTable::Block& block_at(std::uint32_t block) const {
    return table_.blocks[function_.blocks.first + block];
  }

  void solve(const End& end, const std::vector<std::uint32_t>& ways) {
    if (end.unknown != 1 || !end.rest) return;
    const auto way = std::ranges::find_if(ways, [&](std::uint32_t each) { return !threads(each); });
    if (way == ways.end()) return;  // solved from its other end, which is yet to tell this one
    ways_[*way - function_.ways.first] = end.rest;
    solved_.push_back(*way);
  }

  /// Tells both ends of a solved way.
  void spread() {
    const std::uint32_t way = solved_.back();
    solved_.pop_back();
    const std::uint32_t from = table_.ways[way].from - function_.blocks.first;
    const std::uint32_t to = table_.ways[way].to - function_.blocks.first;
    take(out_[from], *threads(way));
    take(in_[to], *threads(way));
    solve(out_[from], block_at(from).out);
    solve(in_[to], block_at(to).in);
  }

  static void take(End& end, std::uint64_t threads) {
    --end.unknown;
    // More than all: these threads never came to where they went.
    if (end.rest && *end.rest < threads) end.rest.reset();
    if (end.rest) *end.rest -= threads;
  }

  const BranchTable& table_;
  const BranchTable::Function& function_;
  std::vector<std::optional<std::uint64_t>> ways_;  // of the function
  std::vector<End> in_, out_;                       // by block of the function
  std::vector<std::uint32_t> solved_;               // into the table's ways
};

}  // namespace

std::vector<BranchThreads> branch_counts(const BranchTable& table, const BranchTable::Function& function,
                                         std::span<const std::uint64_t> lanes) {
  const Flow flow(table, function, lanes);
  std::vector<BranchThreads> counts;
  for (std::uint32_t i = 0; i < function.branches.count; ++i) {
    const BranchTable::Branch& branch = table.branches[function.branches.first + i];
    const auto next = flow.threads(branch.next.way), other = flow.threads(branch.other.way);
    if (next && other) counts.push_back({function.branches.first + i, *next, *other});
  }
  return counts;
}

}  // namespace cudalabs::vgpu
