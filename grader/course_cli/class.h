// `grade class`: a whole class at once.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "course_cli/class_options.h"

namespace cudalabs {

/// `arguments` begin behind `class`. The exit code. Throws UsageError, RequestError, and std::exception for the
/// grader's own failures.
int run_class(const std::vector<std::string>& arguments);

ExitCode run_class_command(const ClassGradeCommand& command);
ExitCode run_class_command(const ClassMissingCommand& command);
ExitCode run_class_command(const ClassAdjustCommand& command);
ExitCode run_class_command(const ClassDiffCommand& command);
ExitCode run_class_command(const ClassRunsCommand& command);
ExitCode run_class_command(const ClassExportCommand& command);
ExitCode run_class_command(const ClassPagesCommand& command);
ExitCode run_class_command(const ClassSimilarCommand& command);
ExitCode run_class_command(const ClassShardCommand& command);
ExitCode run_class_command(const ClassCollectCommand& command);
ExitCode run_class_command(const ClassHelpCommand& command);

}  // namespace cudalabs
