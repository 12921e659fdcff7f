// Small changes of launches, one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vgpu/cudart/mutants.h"
#include "vgpu/cudart/server/asked_launch.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// A change, and the mutant that it is, without number and results.
struct LaunchMutant {
  LaunchChange change;
  Mutant mutant;
  bool changes = true;  // false: the launch has these values already
};

/// Of the first launches of a session, whose kernels are in `module`; the likelier ones first.
std::vector<LaunchMutant> launch_changes(std::span<const AskedLaunch> launches, const ptx::Module& module);

}  // namespace cudalabs::vgpu
