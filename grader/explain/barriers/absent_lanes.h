// Lanes that a shuffle reads, and that went another way: where they parted from the others.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a shuffle that reads such lanes, where the finding's cause is the line at which one of them left: shows it, and
/// says by the kind of statement there what to do. The `if` of a jump is shown in place of the jump.
void show_absent_lanes(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
