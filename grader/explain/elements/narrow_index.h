// Elements that no thread stores since an index is a type of 8 or 16 bits, and begins again at 0.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of an unwritten output: where exactly the rows, the columns or the elements are missing from the number on that such
/// a type does not have any more, its declaration is shown. `source` is the submission's text, and the finding of its
/// file.
void show_narrow_index(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
