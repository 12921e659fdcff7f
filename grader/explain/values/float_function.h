// Integers that go through a function of `float`.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of integers that were added as if they were `float`: where the kernel, a template, calls exactly one function of the
/// device with a parameter or a result of type `float`, and has no other `float`, shows where that is declared, and the
/// call. Returns whether it is so.
bool show_float_function(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
