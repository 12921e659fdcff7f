// What the author of a program should do so that it is checked, and checked well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sanitizer/checks.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::sanitizer {

/// Why the program, or a part of it, was not checked. `needed`: the libraries that it needs, where that is known.
std::vector<std::string> what_was_not_checked(const std::string& program, const vgpu::ServerReport& seen,
                                              const std::optional<std::vector<std::string>>& needed);

/// How to compile the program so that findings have lines, and that none is missing: where that matters for what was
/// found, or was not.
std::vector<std::string> how_to_compile(const vgpu::ServerReport& seen, const Checks& checks);

}  // namespace cudalabs::sanitizer
