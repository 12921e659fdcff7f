// Lanes that others of their warp wait for, and that cannot come any more.
#pragma once

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Notes, in each split that waits for lanes of its warp, which of these are ready to execute what comes after the
/// instruction it waits in, with no way back to it, and which have nothing left to do but to end.
void note_lanes_past_meetings(Warp* warp);

}  // namespace cudalabs::vgpu::exec
