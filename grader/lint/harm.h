// What a hostile sample must not have done when its grading has ended.
#pragma once

#include <filesystem>
#include <string>

#include "lint/sample_grading.h"

namespace cudalabs::lint {

/// Makes a file that every user may read, in `scratch`, which every user may enter then; what it holds must be nowhere
/// in what a grading says. Throws std::system_error.
std::filesystem::path make_canary(const std::filesystem::path& scratch);

/// What is not as it must be after the hostile sample of `result` was graded, each behind "; "; empty: nothing.
/// `scratch` holds what that grading said, and `scratch`/tmp was its folder for temporary files. Grades the solution.
std::string harm_done(const SampleResult& result, const GradingPlan& plan, const std::filesystem::path& cache,
                      const std::filesystem::path& scratch);

}  // namespace cudalabs::lint
