// Who is alive on this machine, as far as a test must know.
#pragma once

#include <string>
#include <vector>

namespace cudalabs::sandbox {

/// Command lines of running processes (zombies left out) that hold `mark` among their arguments.
std::vector<std::string> processes_with(const std::string& mark);

}  // namespace cudalabs::sandbox
