// Names and texts of runtime errors, as cudaGetErrorName and cudaGetErrorString give them.
#pragma once

#include "vgpu/cudart/include/driver_types.h"

namespace cudalabs::vgpu {

/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is none.
const char* error_name(cudaError_t error);
/// "invalid argument"; "unrecognized error code" for a number that is none.
const char* error_text(cudaError_t error);

}  // namespace cudalabs::vgpu
