// One run of the Catch2 session over the labs' test cases, as plain data. The only file besides grader/catch that knows
// which Catch2 it is built with.
#pragma once

#include <string>
#include <vector>

#include "check/test_case.h"

namespace cudalabs {

/// All test cases there are. Not after run_session(): Catch2 2.13 forgets them with its session.
std::vector<TestCase> registered_tests();

/// Runs the test cases tagged [tag], narrowed and configured by `arguments` as a Catch2 command line would be. Catch2's
/// own report is kept quiet unless the arguments hold an option. Returns one outcome per test case that ran.
/// Throws std::invalid_argument when Catch2 does not understand the arguments. At most one call per process.
std::vector<TestOutcome> run_session(const std::string& tag, const std::vector<std::string>& arguments);

}  // namespace cudalabs
