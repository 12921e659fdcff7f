// Results that are wrong just where an input is 0, subnormal, infinite, or beyond a limit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of wrong values that nothing explains, where the case has an input of as many elements, of the type `float`: those
/// with such an input are wrong, and no others are, in all cases. Says so, and shows the line that computes the bits of
/// a `float`, if there is one. `source` is the submission's text, `file` its name.
void show_special_inputs(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
