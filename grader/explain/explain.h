// Why the results of a submission are wrong: what its text, and all cases together, tell about its findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Gives the findings the places, causes and cures that nobody saw while the cases ran. Takes none away. `source` is
/// the submission's text, `file` its name.
void explain_findings(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                      const SubmissionRun& submission_run);

}  // namespace cudalabs
