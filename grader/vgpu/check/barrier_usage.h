// Which barriers were executed and which of them kept two conflicting accesses apart; merged over launches and cases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// Plain data, so that it can travel between processes and be merged by source place.
struct BarrierUsage {
  struct Site {
    std::string kernel;
    SourcePlace where;
    std::uint64_t executed = 0;  // block executions
    /// A barrier in a loop keeps one time round apart from the next: where no block went round twice, nothing can be
    /// said against it.
    bool judged = true;
    bool operator==(const Site&) const = default;
  };
  /// Sorted by (kernel, where); one entry a source place.
  std::vector<Site> sites;
  /// Each set (indices into `sites`, sorted) separates some conflicting pair of accesses: at least one of its barriers
  /// must stay. Sorted, and none a superset of another.
  std::vector<std::vector<std::uint32_t>> needs;

  void merge(const BarrierUsage& other);
  /// Sites that may go: a barrier is kept when some need names it alone, and of every other need at least one is kept.
  std::vector<Finding> advice() const;

  bool operator==(const BarrierUsage&) const = default;
};

}  // namespace cudalabs::vgpu
