// The numbers that a source defines for the preprocessor.
#pragma once

#include <string_view>
#include <vector>

namespace cudalabs::patch {

/// "TILE" and "PITCH" of "#define TILE 16" and "#define PITCH (TILE + 1)"; none with parameters, nor of other things.
std::vector<std::string_view> macro_numbers(std::string_view code);

}  // namespace cudalabs::patch
