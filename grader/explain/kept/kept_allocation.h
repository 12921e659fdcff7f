// Memory that is never freed because what has its address outlives the call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of memory that leaks where no call fails: shows the objects, or the pointer, that keep it after the call, where all
/// that the line can allocate for are `static`, or declared outside of all functions, and nothing else of the source
/// frees it but a destructor, and what comes before it allocates anew. `source` is the text of `file`.
void show_kept_allocations(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run);

}  // namespace cudalabs
