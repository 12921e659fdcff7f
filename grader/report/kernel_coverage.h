// Which lines of the device code ran, and which ways its conditions went, over all cases together.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"
#include "report/source_text.h"
#include "vgpu/profile/branch_coverage.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs {

struct KernelCoverage {
  vgpu::LineCoverage lines;  // lines with code that never ran have the count 0
  vgpu::BranchCoverage branches;
  std::size_t cases = 0;

  /// Over all files. Each condition has two sides.
  std::size_t lines_found() const, lines_hit() const, sides_found() const, sides_hit() const;
};

/// "all 96 threads went on to line 14, none to line 15": of a condition of which one side never ran.
std::string one_sided_text(const vgpu::BranchCount& branch);

/// What a student reads: lines that never ran, and conditions of which one side never ran.
std::string render_coverage(const KernelCoverage& coverage, const SourceText& sources, const TerminalStyle& style);

/// A tracefile as geninfo(1) describes it. The count of a line is that of the threads that executed it; of each
/// condition branch 0 goes on right after it and branch 1 elsewhere. Files are named as in the coverage, so they should
/// have paths that genhtml finds. `test`: the name of the whole.
std::string render_lcov(const KernelCoverage& coverage, const std::string& test);

}  // namespace cudalabs
