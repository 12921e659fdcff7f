// Gives what happens inside the toolkit's own device functions the place of the call.
#pragma once

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Unoptimised code of nvcc calls atomics, shuffles and traps as functions, which stand in the toolkit's headers or
/// nowhere: a finding there would show no line that its reader wrote. Every such call from elsewhere gets a copy of the
/// function, in which memory accesses, barriers, traps, conversions and calls have the place of the call. The rest of a
/// copy keeps its places, as do functions that are called through pointers, and all that goes beyond a bound on the
/// copies' size.
void place_at_calls(Module& module);

}  // namespace cudalabs::vgpu::ptx
