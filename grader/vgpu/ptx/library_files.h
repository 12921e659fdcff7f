// Which source files a program's author has not written.
#pragma once

#include <string_view>

namespace cudalabs::vgpu::ptx {

/// Whether a source file is one of the toolkit's headers.
bool is_of_toolkit(std::string_view file);

/// Whether it is a header of the toolkit, of the system or of the virtual GPU's own runtime.
bool is_of_library(std::string_view file);

}  // namespace cudalabs::vgpu::ptx
