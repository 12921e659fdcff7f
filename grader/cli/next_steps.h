// What a student does after a grading.
#pragma once

#include <string>
#include <vector>

#include "cli/invocation.h"
#include "cli/options.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// The commands to type next, as sentences. `next_lab` is the folder of the lab after this one, under labs/; empty:
/// there is none.
std::vector<std::string> next_steps(const Lab& lab, const Report& report, const GradeCommand& command,
                                    const std::string& next_lab, const Invocation& how);

/// " --submission 'my file.cu'", " --solution" or nothing: what commands about the same submission go on with.
std::string words_of(const Target& target);

}  // namespace cudalabs
