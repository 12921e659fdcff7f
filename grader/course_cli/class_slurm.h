// A class graded by the machines of a Slurm cluster.
#pragma once

#include "cli/exit_code.h"
#include "course_cli/class_options.h"

namespace cudalabs {

/// Takes in submissions and results of earlier jobs, and has what is missing graded by an array of jobs, and a job that
/// collects when they have ended. Throws UsageError when Slurm refuses or is not there.
ExitCode submit_class(const ClassGradeCommand& command);

}  // namespace cudalabs
