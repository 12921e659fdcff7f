// How a matcher tells the session in which cases its check failed, and for what: whether that follows from a finding is
// for others to say, who know them all.
#pragma once

#include <vector>

#include "check/test_case.h"

namespace cudalabs {

/// Said by a matcher as it fails. The session takes it when that assertion has ended.
void note_failed_cases(std::vector<FailedCase> cases);

/// What was said since this was last asked.
std::vector<FailedCase> take_failed_cases();

}  // namespace cudalabs
