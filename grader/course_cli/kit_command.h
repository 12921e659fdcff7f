// `grade kit HOST LAB --package FILE --out DIR`: what a course host wants to have, to grade a lab there.
#pragma once

#include <string>
#include <vector>

namespace cudalabs {

/// `arguments` begin behind `kit`. The exit code. Throws UsageError.
int run_kit_command(const std::vector<std::string>& arguments);

}  // namespace cudalabs
