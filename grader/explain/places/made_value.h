// Where a value is made that a finding shows being set: in the function or macro that is called there, in the call that
// rounds it, in the initialiser of the structure that it is a member of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of an empty grid, whose extent is set by a call: shows the line that computes it, and what rounds down there. Of
/// values that were rounded to even numbers: the only line that does. Of wrong values that the line gets from a
/// function: the only line that returns. Of an access that a member function of a
/// structure makes with rows of a wrong length: the host's line that sets the members. `source` is the submission's
/// text, `file` its name.
void show_made_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
