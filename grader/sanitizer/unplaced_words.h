// Words that point to a line which is not shown.
#pragma once

#include <string>
#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs::sanitizer {

/// Without the word "here": "`fill` is put into its stream here" and "the other thread's write is here" both point to
/// a place. Names in backticks stay.
std::string without_here(std::string_view text);

/// Leaves the word out where no place follows: of the message and the note of a finding without a line, and of the
/// label of another place without one. Programs that were compiled without debug information have these.
void leave_out_here(Finding& finding);

}  // namespace cudalabs::sanitizer
