// Where in the student's host code an address lies, by addr2line in a sandbox: the program it reads is the student's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::runner {

/// One place an address (relative to the program's load address); unknown where it cannot be resolved. Starts no
/// process for no address.
std::vector<SourcePlace> source_places(const std::filesystem::path& program, std::span<const std::uint64_t> addresses);

}  // namespace cudalabs::runner
