// A grading as a command line asks for it: with progress on the terminal, and what to do next in the report.
#pragma once

#include "cli/looks.h"
#include "cli/options.h"
#include "grading/request.h"
#include "lab/lab.h"
#include "report/report.h"

namespace cudalabs {

/// `looks`, if any, takes what it wants of the evidence. Throws what grade() throws.
Report graded(const GradeCommand& command, const Lab& lab, const Submission& submission, Looks* looks = nullptr);

}  // namespace cudalabs
