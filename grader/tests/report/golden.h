// Holds what a renderer wrote against a file in golden/.
#pragma once

#include <string>

namespace cudalabs::test {

/// With CUDALABS_WRITE_GOLDEN=1 in the environment the file is written instead: read the difference before committing
/// it.
void check_golden(const std::string& file, const std::string& rendered);

}  // namespace cudalabs::test
