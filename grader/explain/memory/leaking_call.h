// Memory that a helper allocates for several callers, and that one of them never gives back.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a leak of memory that is allocated in a function which the source calls in several lines: shows the line that
/// called it for what leaks, and says what became of the pointer there. `source` is the text of the finding's file.
void show_leaking_call(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
