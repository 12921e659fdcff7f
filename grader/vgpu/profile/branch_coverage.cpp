// Sums of branch counts, by place.
#include "vgpu/profile/branch_coverage.h"

#include <map>
#include <string>
#include <tuple>

namespace cudalabs::vgpu {
namespace {

using Sums = std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, BranchCount>;

void add(Sums& sums, const BranchCoverage& counts) {
  for (const BranchCount& count : counts) {
    const auto [sum, is_new] = sums.try_emplace({count.where.file, count.where.line, count.where.column}, count);
    if (is_new) continue;
    sum->second.next.threads += count.next.threads;
    sum->second.other.threads += count.other.threads;
  }
}

}  // namespace

void merge_branches(BranchCoverage& sum, const BranchCoverage& more) {
  Sums sums;
  add(sums, sum);
  add(sums, more);
  sum.clear();
  for (const auto& [place, count] : sums) sum.push_back(count);
}

}  // namespace cudalabs::vgpu
