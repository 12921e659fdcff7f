// What the copies and launches of a recorded run leave open: may its right result have been computed on the host? Only
// then is it worth another run (device_audit.h) to find out.
#pragma once

#include "check/submission_run.h"

namespace cudalabs {

/// Of a function that gets its arrays in host memory. False when every copy to the device brought a stretch of an input
/// or one value over and over, all outputs lie in what copies brought back, and what calls were told otherwise, as the
/// arguments of launches, is less than the outputs hold.
bool host_may_have_computed(const CaseRun& case_run);

/// Of a function that gets its arrays in device memory. False when a kernel was launched, and nothing but the outputs
/// came to the host: no copy, nor anything that kernels printed.
bool host_may_have_read(const CaseRun& case_run);

}  // namespace cudalabs
