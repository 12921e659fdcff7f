// What the exit code of `grade` means.
#pragma once

#include "report/report.h"

namespace cudalabs {

enum ExitCode : int { kFullMarks = 0, kFellShort = 1, kUsage = 2, kInternalError = 3 };

/// Of a grading that came to an end: an internal error when a check is one, or when there is no check.
ExitCode exit_code_of(const Report& report);

}  // namespace cudalabs
