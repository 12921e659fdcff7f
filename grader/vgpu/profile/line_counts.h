// How often threads executed each source line of a module, over launches.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "vgpu/exec/kernel_instructions.h"
#include "vgpu/profile/instruction_table.h"

namespace cudalabs::vgpu {

/// Execution counts by source line, merged over launches: file -> line -> times a thread executed it.
using LineCoverage = std::map<std::string, std::map<std::uint32_t, std::uint64_t>>;

class LineCounts {
 public:
  /// One launch: `lanes` are the threads that executed each instruction, by its number. Of a line the instruction that
  /// most executed counts.
  void add(const InstructionTable& table, const KernelInstructions& kernel, std::span<const std::uint64_t> lanes);
  /// All lines of the module, those that were not executed too.
  void add_to(LineCoverage& coverage, const InstructionTable& table) const;

 private:
  std::vector<std::uint64_t> sums_, launch_;  // by line of the table; `launch_` is all zeros between launches
  std::vector<std::uint32_t> touched_;
};

}  // namespace cudalabs::vgpu
