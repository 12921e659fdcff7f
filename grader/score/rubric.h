// The rule that rubric and test cases belong together one to one.
#pragma once

#include <string>
#include <vector>

#include "check/test_case.h"
#include "lab/lab.h"

namespace cudalabs {

/// Everything that is wrong between the labs' rubrics and the registered test cases, a sentence each; empty when
/// - every check of every lab is decided by exactly one test case tagged [lab-id][check-id],
/// - every test case decides exactly one check, one that earns points, and is called "lab-id: title of the check" where
///   it was written for the lab,
/// - what a check needs stands before it in the rubric.
std::vector<std::string> rubric_faults(const std::vector<Lab>& labs, const std::vector<TestCase>& registered);

}  // namespace cudalabs
