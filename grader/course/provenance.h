// Which grader grades, with which data, on which machine.
#pragma once

#include "course/records.h"
#include "lab/lab.h"

namespace cudalabs::course {

/// The parts of an audit that are the same for all submissions for a lab.
Audit audit_of(const Lab& lab);

}  // namespace cudalabs::course
