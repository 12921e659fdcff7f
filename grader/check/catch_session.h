// Runs of the Catch2 session over the labs' test cases, as plain data. The only file besides grader/catch that knows
// which Catch2 it is built with.
#pragma once

#include <string>
#include <vector>

#include "check/submission_run.h"
#include "check/test_case.h"

namespace cudalabs {

/// All test cases there are.
std::vector<TestCase> registered_tests();

/// Makes a test case of each check of the lab that says what it asks, called and tagged like those that are written for
/// a lab. Nothing where there is one with these tags already. From any thread.
void register_asked_checks(const Lab& lab);

/// Lets the test cases tagged [tag] judge the submission run, narrowed and configured by `arguments` as a Catch2
/// command line would be. Catch2's own report is kept quiet unless the arguments hold an option. Returns one outcome
/// per test case that ran. May be called any number of times; calls from several threads take turns, for a process has
/// one session. Throws std::invalid_argument when Catch2 does not understand the arguments.
std::vector<TestOutcome> run_session(const SubmissionRun& submission_run, const std::string& tag,
                                     const std::vector<std::string>& arguments);

}  // namespace cudalabs
