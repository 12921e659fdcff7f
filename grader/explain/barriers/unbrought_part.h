// Threads that leave a kernel before they have stored their part of an array that their block shares.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of threads that have returned before a barrier, where a statement between the two stores to a shared array: says
/// what they have to do there. False: it is not so. `code` has no comments.
bool name_unbrought_part(MergedFinding& finding, std::string_view code);

}  // namespace cudalabs
