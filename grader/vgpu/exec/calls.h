// Calling and returning. Lanes of a warp that come to a call at different times share its frame.
#pragma once

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

// What handlers call, as in scheduler.h: each returns the operation to go on with, or null when the scheduler must
// decide.

/// The lanes enter `callee`; they come back to `resume`.
const MicroOp* call(Warp* warp, const CallSite* site, const FunctionCode* callee, const Segment* resume, LaneMask mask);
/// The lanes in `mask` enter the function at `address`; `others` have yet to come to the same call.
const MicroOp* call_through_pointer(Warp* warp, const MicroOp* op, std::uint64_t address, LaneMask mask,
                                    LaneMask others);
/// The lanes leave the running function.
const MicroOp* return_from_call(Warp* warp, LaneMask mask);

}  // namespace cudalabs::vgpu::exec
