// Grades a lab's samples, each by a `grade` of its own, and holds the reports against what the samples expect.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lint/samples.h"

namespace cudalabs::lint {

struct SampleResult {
  Sample sample;
  std::string frontend;   // "clang" or "nvcc"
  std::string objection;  // what was got instead of what was expected; empty: as expected
  nlohmann::ordered_json speed = nlohmann::ordered_json::array();  // as the report has it
  double points = 0, max = 0;
};

struct GradingPlan {
  std::filesystem::path grade;         // the program
  std::vector<std::string> frontends;  // each sample is graded once with each
  std::string device = "virtual";      // "virtual", "cuda"
  unsigned jobs = 1;                   // gradings at a time
  std::vector<std::string> only;       // samples whose path holds one of these texts; none: all
};

/// The results as JSON: an array of objects.
nlohmann::ordered_json to_json(const std::string& lab, const std::vector<SampleResult>& results);

/// In the order of the samples, front end by front end. `say` hears what is being graded, from any thread.
/// Throws std::system_error when a process cannot be started.
std::vector<SampleResult> grade_samples(const Lab& lab, const std::vector<Sample>& samples, const GradingPlan& plan,
                                        const std::function<void(const std::string&)>& say);

}  // namespace cudalabs::lint
