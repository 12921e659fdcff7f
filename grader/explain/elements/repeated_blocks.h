// Blocks that begin nearer to each other than what each of them does in a loop, so that elements are done several
// times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of races in which threads of two blocks write an element in the same line of a counting loop: where an index goes
/// through more values in one block than lie between the beginnings of two blocks, says so, and where a block has to
/// begin. `source` is the text of `file`.
void show_repeated_blocks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
