// Coverage of the kernel as files: an lcov tracefile and, where genhtml is installed, pages for a browser.
#pragma once

#include <filesystem>
#include <string>

#include "report/kernel_coverage.h"

namespace cudalabs {

/// Writes folder/kernel.info and folder/html/. Returns lines that say where they are, or what is missing.
std::string write_coverage(const KernelCoverage& coverage, const std::string& lab, const std::filesystem::path& folder);

}  // namespace cudalabs
