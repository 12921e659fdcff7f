// Where a submission lies in the repository it belongs to.
#pragma once

#include <filesystem>

#include "grading/request.h"
#include "lab/lab.h"
#include "report/source_paths.h"

namespace cudalabs {

/// The nearest folder at or above the one of `file` that holds a `.git`; else the file's own folder.
std::filesystem::path repository_of(const std::filesystem::path& file);

/// The submission and the lab's header, by the names that findings give them, from the top of the submission's
/// repository. The header is left out where it lies elsewhere.
SourcePaths repository_paths(const Lab& lab, const Submission& submission);

}  // namespace cudalabs
