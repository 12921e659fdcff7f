// A finding as text, in the form compilers use.
#pragma once

#include <functional>
#include <string>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// The text of a line of a file, from 1; empty when it is not known.
using SourceLine = std::function<std::string(const std::string& file, std::uint32_t line)>;

/// Several lines, each ended by a newline, the last one empty.
std::string render_diagnostic(const Finding& finding, const SourceLine& source_line);

}  // namespace cudalabs::vgpu
