// What a launch that was stopped, or ended itself, is told to the student as.
#pragma once

#include "vgpu/exec/launcher.h"
#include "vgpu/exec/program.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// A launch as it was asked for. Nothing is owned.
struct AskedLaunch {
  const Program& program;
  const KernelInfo& kernel;
  const LaunchConfig& config;
};

/// The limits of a launch: `instructions` a block, in warp instructions; `seconds` of processor time, 0 for none.
struct WorkLimits {
  std::uint64_t instructions = 0;
  double seconds = 0;
  bool interrupted = false;    // from outside, and by none of these
  std::uint64_t launches = 1;  // of the program so far, this one among them
};

/// The source place of an instruction, or of the closest one before it in its function that has one.
SourcePlace place_near(const Program& program, std::uint32_t instruction);
/// A kernel that did not end: where it was, and what usually keeps kernels there.
Finding timed_out_finding(const AskedLaunch& launch, const exec::LaunchResult& result, const WorkLimits& limits);
/// A grid with more warps than a launch may execute instructions, which was not started.
Finding too_many_warps_finding(const AskedLaunch& launch, const WorkLimits& limits);
/// An assertion of the kernel that does not hold. `result` has one.
Finding assertion_finding(const AskedLaunch& launch, const exec::LaunchResult& result);
/// A kernel that ended itself.
Finding trap_finding(const AskedLaunch& launch, const exec::LaunchResult& result);

}  // namespace cudalabs::vgpu
