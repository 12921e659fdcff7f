// How many threads went each way at conditional branches, by source place.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

struct BranchSide {
  SourcePlace to;  // where it goes on; unknown where the kernel ends
  std::uint64_t threads = 0;
  bool operator==(const BranchSide&) const = default;
};

struct BranchCount {
  SourcePlace where;  // with its column: `a && b` is two branches
  BranchSide next;    // of the two sides the one that goes on right after the branch in the program's text
  BranchSide other;   // further on (an `else`, the end of an `if`), or back
  bool operator==(const BranchCount&) const = default;
};

/// Sorted by place, each place once: the same line compiled several times (templates, calls put in line) is one branch.
using BranchCoverage = std::vector<BranchCount>;

/// Adds the counts of `more` to `sum`.
void merge_branches(BranchCoverage& sum, const BranchCoverage& more);

}  // namespace cudalabs::vgpu
