// Loops that only wait for a time.
#pragma once

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// A loop in which nothing happens but that a clock is read, and whose end depends on what it says, does nothing else
/// however long it takes. The clock's reads in it become such for which time passes faster. To be called before the
/// function is optimized.
void mark_delay_loops(ir::Function& function);

}  // namespace cudalabs::vgpu::exec
