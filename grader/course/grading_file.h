// A grading as a file, for when the one who grades and the one who keeps the database are different machines.
#pragma once

#include <optional>
#include <string>

#include "course/records.h"

namespace cudalabs::course {

/// JSON; all but the id, which only a database gives.
std::string grading_as_text(const Grading& grading);

/// Nothing for what is none, or is of another version.
std::optional<Grading> grading_from_text(const std::string& text);

}  // namespace cudalabs::course
