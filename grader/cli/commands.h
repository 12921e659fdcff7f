// The commands of `grade`. Each returns the exit code, and throws UsageError, LabError or std::runtime_error.
#pragma once

#include "cli/options.h"

namespace cudalabs {

int run_command(const GradeCommand& command);
int run_command(const BuildCommand& command);
int run_command(const OverviewCommand& command);
int run_command(const ListCommand& command);
int run_command(const StartCommand& command);
int run_command(const DatasetCommand& command);
int run_command(const HintCommand& command);
int run_command(const NewLabCommand& command);
int run_command(const LintCommand& command);
int run_command(const PrintCommand& command);
/// Does not return: Ctrl-C ends it.
[[noreturn]] int run_command(const WatchCommand& command);

}  // namespace cudalabs
