// An output in each of the cases that a finding about it was seen in.
#pragma once

#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

struct SeenOutput {
  const CaseRun* case_run;
  const Comparison* comparison;  // null: its elements cannot be compared with those of the reference
};

/// Of the cases that were judged. It points into `submission_run`.
std::vector<SeenOutput> outputs_seen_in(const MergedFinding& finding, const SubmissionRun& submission_run);

}  // namespace cudalabs
