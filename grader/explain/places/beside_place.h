// What is shown beside a finding of a kernel, where that says more of its cause than the other access does: the launch
// that gives one array twice, a barrier that waits for too few, an object whose copy freed the memory, an array that
// begins inside another one.
#pragma once

#include <string>
#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// "the other thread's write is in line 25" for the other place, which is not shown any more.
std::string in_words(const OtherPlace& other);

/// Does nothing where nothing more is known. `source` is the submission's text, and the finding of its file.
void show_cause_beside(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
