// What a call that failed leaves behind for the next one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of results that are right when the function is called alone, and wrong after a call in which something failed: shows
/// the only `static` variable of `source`, which is the text of `file`, where nothing surer is known.
void show_left_by_failure(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
