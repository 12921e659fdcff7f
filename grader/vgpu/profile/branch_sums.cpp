// Counts go to their place's sum; which that is, is looked up once a branch.
#include "vgpu/profile/branch_sums.h"

#include <algorithm>
#include <numeric>

#include "vgpu/profile/branch_counts.h"

namespace cudalabs::vgpu {

void BranchSums::add(ModuleBranches& module, const BranchTable& table, const KernelInstructions& kernel,
                     std::span<const std::uint64_t> lanes) {
  if (module.sums.size() != table.branches.size()) {
    module.sums.assign(table.branches.size(), nullptr);
    module.unsaid.resize(table.functions.size());
    std::iota(module.unsaid.begin(), module.unsaid.end(), 0u);
  }
  // In the order of the table: of branches at one place the first says where its sides go on.
  std::vector<std::uint32_t> still_unsaid;
  auto unsaid = module.unsaid.begin();
  const auto say_before = [&](std::uint32_t function) {
    for (; unsaid != module.unsaid.end() && *unsaid < function; ++unsaid) add_function(module, table, *unsaid, {});
  };
  for (const KernelInstructions::Function& function : kernel.functions()) {
    say_before(function.index);
    if (unsaid != module.unsaid.end() && *unsaid == function.index) still_unsaid.push_back(*unsaid++);
    add_function(module, table, function.index, lanes.subspan(function.number, function.count));
  }
  say_before(static_cast<std::uint32_t>(table.functions.size()));
  module.unsaid = std::move(still_unsaid);
}

void BranchSums::add_function(ModuleBranches& module, const BranchTable& table, std::uint32_t function,
                              std::span<const std::uint64_t> lanes) {
  if (table.functions[function].branches.count == 0) return;
  for (const BranchThreads& threads : branch_counts(table, table.functions[function], lanes)) {
    BranchCount*& sum = module.sums[threads.branch];
    if (sum == nullptr) {
      const BranchTable::Branch& branch = table.branches[threads.branch];
      const SourcePlace& where = branch.where;
      const BranchCount none{where, {branch.next.to, 0}, {branch.other.to, 0}};
      sum = &sums_.try_emplace({where.file, where.line, where.column}, none).first->second;
    }
    sum->next.threads += threads.next;
    sum->other.threads += threads.other;
  }
}

BranchCoverage BranchSums::coverage() const {
  BranchCoverage coverage;
  coverage.reserve(sums_.size());
  for (const auto& [place, count] : sums_) coverage.push_back(count);
  return coverage;
}

}  // namespace cudalabs::vgpu
