// Solves the flow of threads: a block with one way left of which the count is unknown tells it.
#include "vgpu/profile/branch_counts.h"

#include <algorithm>
#include <optional>

namespace cudalabs::vgpu {
namespace {

/// Takes time in proportion to the program's size, whatever its shape: programs may be hostile.
class Flow {
 public:
  Flow(const BranchTable& table, std::span<const std::uint64_t> lanes) : table_(table), ways_(table.ways.size()) {
    for (const BranchTable::Block& block : table.blocks) {
      const bool in_known = block.first && !block.entry;
      in_.push_back({block.in.size(), in_known ? std::optional(lanes[*block.first]) : std::nullopt});
      out_.push_back({block.out.size(), block.last ? std::optional(lanes[*block.last]) : std::nullopt});
    }
    for (std::uint32_t block = 0; block < table.blocks.size(); ++block) {
      solve(in_[block], table.blocks[block].in);
      solve(out_[block], table.blocks[block].out);
      while (!solved_.empty()) spread();
    }
  }

  std::optional<std::uint64_t> threads(std::uint32_t way) const { return ways_[way]; }

 private:
  /// The ways into a block, or out of it.
  struct End {
    std::size_t unknown = 0;
    std::optional<std::uint64_t> rest;  // threads on the unknown ones; nothing where that cannot be told
  };

  void solve(const End& end, const std::vector<std::uint32_t>& ways) {
    if (end.unknown != 1 || !end.rest) return;
    const auto way = std::ranges::find_if(ways, [&](std::uint32_t each) { return !ways_[each]; });
    if (way == ways.end()) return;  // solved from its other end, which is yet to tell this one
    ways_[*way] = end.rest;
    solved_.push_back(*way);
  }

  /// Tells both ends of a solved way.
  void spread() {
    const std::uint32_t way = solved_.back();
    solved_.pop_back();
    const auto [from, to] = table_.ways[way];
    take(out_[from], *ways_[way]);
    take(in_[to], *ways_[way]);
    solve(out_[from], table_.blocks[from].out);
    solve(in_[to], table_.blocks[to].in);
  }

  static void take(End& end, std::uint64_t threads) {
    --end.unknown;
    // More than all: these threads never came to where they went.
    if (end.rest && *end.rest < threads) end.rest.reset();
    if (end.rest) *end.rest -= threads;
  }

  const BranchTable& table_;
  std::vector<std::optional<std::uint64_t>> ways_;
  std::vector<End> in_, out_;  // by block
  std::vector<std::uint32_t> solved_;
};

}  // namespace

BranchCoverage branch_counts(const BranchTable& table, std::span<const std::uint64_t> lanes) {
  const Flow flow(table, lanes);
  BranchCoverage coverage;
  for (const BranchTable::Branch& branch : table.branches) {
    const auto next = flow.threads(branch.next.way), other = flow.threads(branch.other.way);
    if (next && other) coverage.push_back({branch.where, {branch.next.to, *next}, {branch.other.to, *other}});
  }
  BranchCoverage sums;
  merge_branches(sums, coverage);
  return sums;
}

}  // namespace cudalabs::vgpu
