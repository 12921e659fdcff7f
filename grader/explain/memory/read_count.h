// A kernel that reads more elements of an array than were written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of reads after the end of what was written: shows where the count is set that the launch gives the kernel, or the
/// launch itself. `source` is the text of `file`.
void show_read_counts(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
