// A kernel that reads in one round of a loop what a launch of a later round writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// What is read there is written by a later launch, which is shown beside it.
bool is_written_later(const MergedFinding& finding);

/// Of such a read: where one loop of the host launches first the kernel that writes, and then the one that reads, in
/// each of its rounds, shows the loop. `source` is the text of `file`.
void show_later_rounds(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
