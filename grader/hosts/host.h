// Course hosts: what each is told of a grading, in its own format, and what when there is no verdict.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hosts/host_report.h"

namespace cudalabs::hosts {

// Pure, one a host; the text ends with a line's end.
std::string gradescope_results(const HostReport& report);    // results.json
std::string classroom_output(const HostReport& report);      // a line for $GITHUB_OUTPUT
std::string prairielearn_results(const HostReport& report);  // results.json, at most 1 MB
std::string autolab_scores(const HostReport& report);        // the last line of the output
std::string submitty_validation(const HostReport& report);   // validation_results.json

/// How a host is told that the grader failed. A student never gets a zero by what is written here. `lab`: its id.
std::string prairielearn_fault(std::string_view lab);
std::string autolab_fault(std::string_view lab);
std::string submitty_fault(std::string_view lab);

/// The words for a student when the grader failed.
inline constexpr std::string_view kNotYourFault =
    "The grader itself failed. This is not your fault, and it is no grade: tell your instructor.";

struct Host {
  std::string_view name;   // "gradescope"
  std::string_view words;  // for lists
  std::string (*render)(const HostReport&);
  /// Null: a host that takes a missing result for a failure of the grader is given none.
  std::string (*fault)(std::string_view lab);
  bool appends = false;            // the result goes to the end of a file that others write, too
  bool for_students_eyes = false;  // the kit lies where students can read it: students' package only
};

std::span<const Host> all_hosts();

/// Null where there is none of that name.
const Host* find_host(std::string_view name);

}  // namespace cudalabs::hosts
