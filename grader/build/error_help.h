// What to do about errors of the compiler whose own words say too little to a beginner.
#pragma once

#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs::builder {

/// Whether an error says that a function is declared otherwise elsewhere.
bool is_about_signature(std::string_view error);

/// Gives an error that has no help one, where the mistake is known by the compiler's words: a kernel is called as a
/// function is, or a function is declared otherwise than in `header`, the name of the contract's header.
void help_with_error(Finding& finding, std::string_view header);

}  // namespace cudalabs::builder
