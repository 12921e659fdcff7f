// Where in the student's host code a finding comes from, by addr2line in a sandbox: the program it reads is the
// student's.
#pragma once

#include <filesystem>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {

/// Gives findings of `report` that have only a call address a file and a line. What cannot be resolved stays unknown.
void resolve_call_sites(vgpu::ServerReport& report, const std::filesystem::path& program);

}  // namespace cudalabs::runner
