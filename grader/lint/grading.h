// Grades a lab's samples, each by a `grade` of its own, and holds the reports against what the samples expect.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lint/samples.h"

namespace cudalabs::lint {

struct SampleResult {
  Sample sample;
  std::string frontend;   // "clang" or "nvcc"
  std::string objection;  // what was got instead of what was expected; empty: as expected
};

struct GradingPlan {
  std::filesystem::path grade;         // the program
  std::vector<std::string> frontends;  // each sample is graded once with each
  unsigned jobs = 1;                   // gradings at a time
  std::vector<std::string> only;       // samples whose path holds one of these texts; none: all
};

/// In the order of the samples, front end by front end. `say` hears what is being graded, from any thread.
/// Throws std::system_error when a process cannot be started.
std::vector<SampleResult> grade_samples(const Lab& lab, const std::vector<Sample>& samples, const GradingPlan& plan,
                                        const std::function<void(const std::string&)>& say);

}  // namespace cudalabs::lint
