// What a job needs to see of this machine to drive its real GPU.
#pragma once

#include "sandbox/sandbox.h"

namespace cudalabs::runner {

/// The driver's device nodes and libraries. Throws std::runtime_error when there is none.
void allow_real_device(sandbox::Job& job);

}  // namespace cudalabs::runner
