// Reads of shared memory that nobody has written, although a barrier stands between the writing lines and the reading
// one.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of such a read, as far as the text has all lines that write the array: gives no advice on a barrier; where it is one
/// line, shows it, with its condition, and says where the two lines count with rows of different lengths, or where the
/// block has too few threads to write all that is read. `source` is the text of the finding's file.
void show_unwritten_place(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
