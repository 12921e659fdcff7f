// From where in the kernel the function is called that a finding is in.
#pragma once

#include "vgpu/finding.h"

namespace cudalabs::sanitizer {

/// Adds to the note "called from reduce.cu:41 in `sum`", where the line of the finding, or of its other place, is in a
/// function that the kernel calls, and the call is not shown as the other place.
void note_calls(Finding& finding);

}  // namespace cudalabs::sanitizer
