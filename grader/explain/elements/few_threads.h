// Elements without a thread, whose guard would let more threads work than were launched.
#pragma once

#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Blames the launch, or the line that computes its number of blocks, where in each case that misses elements the
/// thread behind the last one would come to the store as well, and in none of the right cases: what is asked before the
/// store is computed in the terms of the case. False: it is not so, or the text does not say so.
bool show_few_threads(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
