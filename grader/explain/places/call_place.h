// Where in its statement a call stands that the debug information gives the statement's first line.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a finding about a call, "`cudaMemcpy` failed: ...", whose line does not have it: the only line of the statement
/// that begins there which does. Where several do, the note says so.
void place_at_call(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
