// A run that did not finish, as a finding.
#pragma once

#include <optional>
#include <string_view>

#include "run/run.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// Why the run of one case ended before its output could be taken; nothing when it finished, or when an error among its
/// own findings says why already (a launch refused, an illegal access, a kernel without end). Like every finding of one
/// case it does not name the case: merge_findings() does, when it knows all of them.
std::optional<Finding> ending_of(const Observation& observed);

/// The first call that failed for a reason of its own, as a finding; nothing where none did. Whether it matters, the
/// caller knows: a program may try something and take another way.
std::optional<Finding> refusal_of(const Observation& observed);

/// True when the kernels ran to an end that the checks on memory and barriers can judge: the run finished, or stopped
/// at an error of the device that a finding explains. Otherwise "nothing was found" means nothing.
bool kernels_ran(const Observation& observed);

}  // namespace cudalabs
