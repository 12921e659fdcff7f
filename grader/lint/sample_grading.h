// Grades a lab's samples, each in a process of its own, and holds the reports against what the samples expect.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lint/samples.h"

namespace cudalabs::lint {

struct SampleResult {
  std::string lab;  // its id
  Sample sample;
  std::filesystem::path solution;  // of its lab
  std::string frontend;            // "clang" or "nvcc"
  std::string objection;           // what was got instead of what was expected; empty: as expected
  nlohmann::ordered_json speed = nlohmann::ordered_json::array();  // as the report has it
  double points = 0, max = 0;
  double seconds = 0;            // the grading took, waiting for its turn on a GPU included
  double processor_seconds = 0;  // that were used for the submission
  std::string long_time;         // more processor time than a student's grading has; empty: no more, or it may
  std::string first;             // of a wrong sample: what the screen says first instead of what it must; empty: that
  std::size_t rows = 0;          // of the screen, 80 columns wide
  bool may_be_long = false;      // the compiler's words are shown whole
  std::string verdict;           // the errors that were found, or "full marks"
  std::string tier;              // of the sandbox it ran in

  bool fits_screen() const;
};

/// The rows that a report may take, and the columns of the screen that it is made for.
inline constexpr std::size_t kMostRows = 24, kColumns = 80;

struct LabSamples {
  std::string lab;                 // its id
  std::filesystem::path solution;  // the reference
  std::vector<Sample> samples;
};

/// One grading, for the process that does it.
struct Order {
  std::string lab;                    // its id
  std::filesystem::path submission;   // the file to hand in
  std::string frontend;               // "clang", "nvcc"
  std::filesystem::path report = {};  // where the JSON goes; empty: nowhere
  double more_time = 1;               // as much of it as a submission of a student gets
};

struct GradingPlan {
  std::function<int(const Order&)> grade;  // does what `grade LAB` does, and returns its exit code; not in this process
  std::vector<std::string> frontends;      // each sample is graded once with each
  std::string device = "virtual";          // "virtual", "cuda"
  unsigned jobs = 1;                       // gradings at a time
  bool judges_time = false;                // a sample with a long time is not as expected
  std::vector<std::string> only;           // samples whose path holds one of these texts; none: all
  std::filesystem::path cache = {};  // keeps what samples were compiled to, but hostile ones; empty: nothing is kept
};

nlohmann::ordered_json to_json(const SampleResult& result);

struct GradingListener {
  std::function<void(const std::string&)> say;             // what is being graded; from any thread
  std::function<void(const SampleResult&)> finished = {};  // one at a time, as they come to their ends
};

/// A hostile sample knows the path of a file that others may read, `CUDALABS_CANARY`: what that holds must be nowhere
/// in what the grading says. After it there must be neither a process nor a file of it, and the solution must get full
/// marks. In the order of labs and samples, front end by front end. Throws std::system_error when a process cannot be
/// started.
std::vector<SampleResult> grade_samples(const std::vector<LabSamples>& labs, const GradingPlan& plan,
                                        const GradingListener& listener);

}  // namespace cudalabs::lint
