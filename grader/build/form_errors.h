// What to do about statements that a compiler cannot read as they were meant: semicolons, launches, addresses.
#pragma once

#include <string>

#include "build/error_source.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

/// Empty: the error is about something else.
std::string help_with_form(const Finding& error, const ErrorSource& source);

}  // namespace cudalabs::builder
