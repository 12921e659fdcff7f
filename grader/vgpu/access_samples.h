// The accesses of a launch that a picture shows.
#pragma once

#include "vgpu/check/program_names.h"
#include "vgpu/profile/access_recorder.h"
#include "vgpu/profile/access_sample.h"

namespace cudalabs::vgpu {

/// What one warp did at one instruction, with the names of the kernel, the line and the array.
AccessSample sample_of(const RecordedAccess& example, const ProgramNames& names, const LaunchConfig& config);

}  // namespace cudalabs::vgpu
