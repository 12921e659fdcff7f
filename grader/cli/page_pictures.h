// What a page shows of a case as pictures.
#pragma once

#include <optional>

#include "check/submission_run.h"
#include "page/graded_work.h"

namespace cudalabs {

/// Actual, expected and wrong elements of each output with two dimensions, and of pictures the inputs, too. Nothing for
/// a case without such an output, and for one whose numbers are right: only right pictures are worth looking at.
std::optional<page::CasePictures> pictures_for_page(const CaseRun& case_run);

}  // namespace cudalabs
