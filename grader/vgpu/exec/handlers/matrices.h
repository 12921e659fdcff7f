// What the lanes of a warp do with matrices that they hold together.
#pragma once

#include "vgpu/exec/micro_op.h"

namespace cudalabs::vgpu::exec {

/// `extra` is the operation's number among the kernel's MatrixOperations. Lanes that are not there give what their
/// registers hold, and observers hear of it.
void operate_on_matrices(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask);

}  // namespace cudalabs::vgpu::exec
