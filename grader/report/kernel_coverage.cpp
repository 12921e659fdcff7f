// Sums over a coverage.
#include "report/kernel_coverage.h"

#include <algorithm>

namespace cudalabs {

std::size_t KernelCoverage::lines_found() const {
  std::size_t found = 0;
  for (const auto& [file, counts] : lines) found += counts.size();
  return found;
}

std::size_t KernelCoverage::lines_hit() const {
  std::size_t hit = 0;
  for (const auto& [file, counts] : lines) {
    hit += static_cast<std::size_t>(std::ranges::count_if(counts, [](const auto& line) { return line.second != 0; }));
  }
  return hit;
}

std::size_t KernelCoverage::sides_found() const {
  return 2 * branches.size();
}

std::size_t KernelCoverage::sides_hit() const {
  std::size_t hit = 0;
  for (const auto& branch : branches) hit += (branch.next.threads != 0) + (branch.other.threads != 0);
  return hit;
}

}  // namespace cudalabs
