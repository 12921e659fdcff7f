// What the exit code of `grade` means.
#pragma once

namespace cudalabs {

enum ExitCode : int { kFullMarks = 0, kFellShort = 1, kUsage = 2, kInternalError = 3 };

}  // namespace cudalabs
