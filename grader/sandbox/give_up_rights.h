// How the sandbox's init gives up what a job must not have.
#pragma once

#include <vector>

namespace cudalabs::sandbox {

/// Closes every descriptor that is not in `keep`. False with errno.
bool close_others(std::vector<int> keep);

/// Becomes user and group of this number, and of no other group. False with errno.
bool become(int user);

}  // namespace cudalabs::sandbox
