// What the checks of a lab and the Catch2 session that runs them tell each other, beside assertions. One a process, as
// Catch2's session is: who runs the session fills it and empties it, and no two run at a time. It is global because
// Catch2 leaves no way to hand it on: test cases are functions without parameters, and their fixtures and the listeners
// are made by Catch2 itself, without arguments of ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/submission_run.h"
#include "check/test_case.h"

namespace cudalabs {

struct SessionState {
  const SubmissionRun* submission_run = nullptr;  // of the submission that is judged
  std::optional<double> award;                    // of the test case that runs, see award.h
  bool nothing_seen = false;                      // by the matcher that failed last, see nothing_seen.h
  bool explained = false;                         // by the matcher that failed last, see nothing_seen.h
  std::vector<FailedCase> failed_cases;           // of the matcher that failed last, see failed_cases.h
  std::string unseen;                             // by the matchers that passed, see unseen.h
  std::vector<TestOutcome> outcomes;              // of the test cases so far
};

SessionState& session_state();

}  // namespace cudalabs
