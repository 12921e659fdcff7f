// The rule that an error always costs points.
#pragma once

#include <vector>

#include "check/merge.h"
#include "check/test_case.h"
#include "lab/lab.h"

namespace cudalabs {

/// Lets the check that fits fail for each finding of severity error that no check among `outcomes` failed for, so that
/// no report with an error has full marks. A check failed for a finding where it names the finding, where it asks for
/// none of them, or where the result of a case that shows it is wrong. The check that fits is the first in the rubric
/// that looks at a case which shows the finding, and where none does the first on results; a check on how fast
/// something is never fits. A finding stays without a check only where nobody asked for the checks that fit.
void charge_errors(const Lab& lab, const std::vector<MergedFinding>& findings, std::vector<TestOutcome>& outcomes);

}  // namespace cudalabs
