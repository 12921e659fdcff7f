// Who in a class has handed in what is alike.
#pragma once

#include <filesystem>

#include "course/store.h"
#include "lab/lab.h"

namespace cudalabs {

/// Throws std::runtime_error when this machine has no compiler for comparing.
void require_comparing();

/// Compares what counts of all students for `lab`, `jobs` files at a time, and writes `out`/similar/LAB/. Throws
/// UsageError when nothing was handed in for it, std::runtime_error when a tool is missing.
void compare_class(const std::filesystem::path& out, course::Store& store, const Lab& lab, unsigned jobs);

}  // namespace cudalabs
