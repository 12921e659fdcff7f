// `grade start LAB`: the files to work on, in a folder of one's own.
#pragma once

#include <filesystem>
#include <vector>

#include "lab/lab.h"

namespace cudalabs {

/// Copies the lab's skeleton and its header into `folder`, which is made where it is missing, and returns their paths
/// there, the skeleton first. Throws UsageError, before anything is written, where a file of one of these names is
/// there already: it may be the student's work. Throws std::filesystem::filesystem_error when a file cannot be copied.
std::vector<std::filesystem::path> copy_skeleton(const Lab& lab, const std::filesystem::path& folder);

}  // namespace cudalabs
