// A line that looks wrong whatever it computes, beside a finding that knows no cause.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// It is of a wrong output, and neither its values nor the places of its elements tell why.
bool leads_nowhere(const MergedFinding& finding);

/// Where the first finding is of a wrong output, whose values and places lead to no line: shows with it the only line
/// that is indented as if it was in a loop or under a condition, or else a macro without parentheses, a `cudaMemset` of
/// numbers, or the only one that the compiler has warned of, and says so. It may be the cause, and is worth a look in
/// any case. With other errors the help mentions the line that the compiler has warned of. `source` is the submission's
/// text, `file` its name.
void show_suspicious_line(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
