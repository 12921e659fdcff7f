// The maximum over the instructions of a line, summed over launches.
#include "vgpu/profile/line_counts.h"

#include <algorithm>
#include <utility>

namespace cudalabs::vgpu {

void LineCounts::add(const InstructionTable& table, const KernelInstructions& kernel,
                     std::span<const std::uint64_t> lanes) {
  sums_.resize(table.lines.size());
  launch_.resize(table.lines.size());
  touched_.clear();
  for (const KernelInstructions::Function& function : kernel.functions()) {
    for (std::uint32_t i = 0; i < function.count; ++i) {
      const std::uint32_t line = table.entries[function.first + i].line;
      const std::uint64_t executed = lanes[function.number + i];
      if (line == InstructionTable::kNoLine || executed == 0) continue;
      if (launch_[line] == 0) touched_.push_back(line);
      launch_[line] = std::max(launch_[line], executed);
    }
  }
  for (const std::uint32_t line : touched_) sums_[line] += std::exchange(launch_[line], 0);
}

void LineCounts::add_to(LineCoverage& coverage, const InstructionTable& table) const {
  for (std::size_t line = 0; line < sums_.size(); ++line)
    coverage[table.lines[line].file][table.lines[line].line] += sums_[line];
}

}  // namespace cudalabs::vgpu
