// Where a submission lies in the repository it belongs to.
#pragma once

#include "grading/request.h"
#include "lab/lab.h"
#include "report/source_paths.h"

namespace cudalabs {

/// The submission and the lab's header, by the names that findings give them, from the top of the submission's
/// repository. The header is left out where it lies elsewhere.
SourcePaths repository_paths(const Lab& lab, const Submission& submission);

}  // namespace cudalabs
