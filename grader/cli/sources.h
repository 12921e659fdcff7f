// The files that findings may quote from.
#pragma once

#include "cli/project.h"
#include "lab/lab.h"
#include "report/source_text.h"

namespace cudalabs {

/// The submission and the lab's header, under the names findings have for them.
FileSources sources_of(const Lab& lab, const Submission& submission);

}  // namespace cudalabs
