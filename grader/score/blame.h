// Which checks failed because of which findings, and what to fix first.
#pragma once

#include <string>
#include <vector>

#include "check/merge.h"
#include "check/test_case.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// Fills `because` of the results of `lab`'s checks, which are in its order: a check failed because of findings where
/// each case in which it failed shows the finding that the check is about, or, where the result is merely wrong or
/// missing, an error; of several errors in one case the first. A check that was skipped has the reasons of those it
/// needs. Findings are counted from 1, in their order.
void blame(std::vector<CheckResult>& results, const Lab& lab, const std::vector<TestOutcome>& outcomes,
           const std::vector<MergedFinding>& findings);

/// The check to fix first where no finding comes before it; empty: the first finding, if there is any, is first.
/// A failed check that no finding explains comes after the findings that spoil results. Of several such checks those
/// on synchronisation come first, because results follow from it, then those on results. Manners (an error that nobody
/// would notice, memory that is not freed) come after these and before checks on quality and speed, but for a warning
/// that no check failed for: what costs points comes before what costs none.
std::string first_check(const std::vector<CheckResult>& results, const std::vector<MergedFinding>& findings);

}  // namespace cudalabs
