// `grade LAB --image photo.png`: a person's own picture instead of the lab's cases.
#pragma once

#include "cli/options.h"
#include "cli/project.h"
#include "lab/lab.h"

namespace cudalabs {

/// Runs the submission on the picture, says what is wrong with the result and with how it was made, and writes input,
/// output and maps of wrong pixels as PNG files. Gives no points. Returns the exit code. Throws UsageError for a lab
/// that does not work on pictures, and for a file that is no picture or too large.
int grade_image(const GradeCommand& command, const Lab& lab, const Submission& submission);

}  // namespace cudalabs
