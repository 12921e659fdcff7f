// How threads parted at conditional branches, summed over launches and modules.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "vgpu/exec/kernel_instructions.h"
#include "vgpu/profile/branch_coverage.h"
#include "vgpu/profile/branch_table.h"

namespace cudalabs::vgpu {

/// A launch counts for all branches of its module: those that it cannot come to were gone none of their ways. So much
/// is said once, and a launch costs by what it can come to.
class BranchSums {
 public:
  /// What is known of a module whose launches were added.
  struct ModuleBranches {
    std::vector<BranchCount*> sums;     // by branch of its table; null: not yet counted
    std::vector<std::uint32_t> unsaid;  // functions that every launch so far could come to, in order
  };

  /// A launch that ran to its end; `lanes`: the threads that executed each instruction, by its number.
  void add(ModuleBranches& module, const BranchTable& table, const KernelInstructions& kernel,
           std::span<const std::uint64_t> lanes);
  std::size_t size() const { return sums_.size(); }
  BranchCoverage coverage() const;

 private:
  void add_function(ModuleBranches& module, const BranchTable& table, std::uint32_t function,
                    std::span<const std::uint64_t> lanes);

  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, BranchCount> sums_;  // by place
};

}  // namespace cudalabs::vgpu
