// Allocations of which the virtual GPU asks whether `sizeof` is missing, held against the source.
#pragma once

#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Where the line that allocates has a `sizeof`, it is not missing: the question goes, and the help looks for elements
/// that are counted as bytes elsewhere. `source` is the submission's text.
void withdraw_size_questions(std::vector<MergedFinding>& findings, std::string_view source);

}  // namespace cudalabs
