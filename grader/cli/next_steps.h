// What a student does after a grading.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// The commands to type next, as sentences; none after full marks.
std::vector<std::string> next_steps(const Lab& lab, const Report& report, const GradeCommand& command);

}  // namespace cudalabs
