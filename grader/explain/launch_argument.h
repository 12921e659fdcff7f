// The argument of a launch that explains a bad address: what the kernel calls it, and where the host sets it.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// `source` is the text of the finding's file.
void show_launch_argument(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
