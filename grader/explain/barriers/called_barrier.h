// A barrier in a function that only some threads call, while others wait at another barrier.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of threads that wait at two barriers, one of them in a function that the kernel calls once, in an `if` that is not
/// around the way to the other: places the finding at that call. False: it is not so. `code` has no comments.
bool name_called_barrier(MergedFinding& finding, std::string_view code);

}  // namespace cudalabs
