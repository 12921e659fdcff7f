// Which PTX instructions and which calls of the CUDA runtime the virtual GPU has, as a page of Markdown.
#pragma once

#include <string>

namespace cudalabs::sanitizer {

/// docs/INSTRUCTIONS_AND_CALLS.md, from the tables that the virtual GPU itself works by.
std::string coverage_page();

}  // namespace cudalabs::sanitizer
