// Atomic exchanges that only write: nothing depends on the old value that they give.
#pragma once

#include <vector>

#include "vgpu/analysis/value_flow.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// Seen in the module's text, not in a run: the old value goes nowhere but into registers, arguments and results of
/// functions that nobody reads. What is stored, given to other threads, compared for a branch or part of an address
/// counts as used, and so does what goes to a function that is not known.
std::vector<CodePlace> pure_exchanges(const ptx::Module& module);

}  // namespace cudalabs::vgpu
