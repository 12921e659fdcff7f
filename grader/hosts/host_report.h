// What of a JSON report, version 1, a course host is told.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::hosts {

struct HostCheck {
  std::string title;
  bool build = false;  // whether it compiles at all
  bool passed = false;
  double points = 0, max = 0;
  std::string text;  // why points are missing: lines for the student; empty where none are
};

struct HostReport {
  std::string lab, title;
  double points = 0, max = 0;
  double seconds = 0;  // the grading took
  std::vector<HostCheck> checks;
  /// What was handed in cannot be graded: it does not compile, or there is nothing.
  bool gradable = true;
  std::string summary;  // "85 of 100 points", and what to fix first
};

/// The grader failed, or what it wrote is no report: there is no verdict. `what()` is for the instructor.
class NoVerdict : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads what render_json() writes. Throws NoVerdict: for text that is none of version 1, and for a report in which a
/// check came to no verdict.
HostReport read_host_report(std::string_view json);

}  // namespace cudalabs::hosts
