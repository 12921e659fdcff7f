// What every program of this room does with what its work throws.
#pragma once

#include <functional>

namespace cudalabs {

/// What `work` returns; where it throws, the message goes to standard error, and the exit code is kUsage or
/// kInternalError.
int run_program(const std::function<int()>& work);

}  // namespace cudalabs
