// What to do about errors of the compiler whose own words say too little to a beginner.
#pragma once

#include <string_view>
#include <vector>

#include "build/error_source.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

/// Whether an error says that a function is declared otherwise elsewhere.
bool is_about_signature(std::string_view error);

/// Gives errors that have no help one, where the mistake is known by the compiler's words and the text. An error that
/// only follows from another is left out, and a kernel without `__global__` is told in own words, at its definition.
void help_with_errors(std::vector<Finding>& errors, const ErrorSource& source);

}  // namespace cudalabs::builder
