// Tries small changes of a wrong submission's text, one after the other, until with one of them it passes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "build/builder.h"
#include "check/proposed_change.h"
#include "check/submission_run.h"
#include "grading/patch_report.h"
#include "grading/request.h"
#include "sandbox/budget.h"

namespace cudalabs {

/// A submission that is wrong, and what its changed texts are graded by.
struct PatchSearch {
  const GradingRequest* request = nullptr;        // of the submission that is wrong
  const Report* report = nullptr;                 // of it
  const SubmissionRun* submission_run = nullptr;  // likewise
  const Toolchain* toolchain = nullptr;           // of the attempts: the quickest one
  bool is_other_toolchain = false;                // than that by which the submission was found to be wrong
  sandbox::Budget* budget = nullptr;              // of all attempts together
  OwnHeaders* own_headers = nullptr;              // likewise
  std::optional<ProposedChange> proposed = {};    // what the report says to change
  std::vector<std::string> failed_in = {};        // cases in which the check fails that changes must make pass
  /// Grades a text in the submission's place, for the lab or one that has less cases, by the checks of these tags as
  /// Catch2 is asked for them; none: by all, and as the submission was graded.
  std::function<Report(const Lab& lab, const std::string& text, const std::vector<std::string>& checks)> grade;
};

/// Nothing where what the report proposes helps: its words say more than a change can. Else the first of the candidates
/// with which what is told first is gone: the cases that are wrong now are right, no check
/// fails that did not before, and all checks pass but for some on speed and quality. Nothing where there is none within
/// the budget, or where the grader's own machinery fails at it. A changed text may do anything: attempts have short
/// limits. From one thread; the attempts take several.
std::optional<HelpfulPatch> find_patch(const PatchSearch& search);

}  // namespace cudalabs
