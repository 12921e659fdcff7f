// Findings about memory, or an event, that the destructor of one object has given back while another one still has it.
#pragma once

#include <string>
#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// The type whose destructor freed the memory, or destroyed the event, that the finding is about; empty: it is about
/// something else.
std::string freeing_type(const MergedFinding& finding, std::string_view source);

/// Of such a finding: it is about an event, which was destroyed before.
bool is_of_destroyed_event(const MergedFinding& finding);

/// Places it where the second owner came to be. What it was about becomes a note, and stands beside.
void place_at_second_owner(MergedFinding& finding, const std::string& type, SourcePlace place);

}  // namespace cudalabs
