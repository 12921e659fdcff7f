// A program on the virtual GPU: started with the project's own CUDA runtime, served until it is gone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vgpu/cudart/server/serve.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::sanitizer {

struct ProgramRun {
  int exit_code = 0;  // 128 + signal where it was killed
  vgpu::ServerReport report;
};

/// Starts `command`, a program and its arguments, with the folder `runtime` first among those where the loader looks
/// for libraries, and serves it; the connection in `serve` is made here. Findings of the host's code get their lines by
/// addr2line, where it is installed. Throws std::runtime_error when the program cannot be started.
ProgramRun run_on_virtual_gpu(const std::vector<std::string>& command, vgpu::ServeOptions serve,
                              const std::filesystem::path& runtime);

/// The file of the program that execvp() would start; `name` itself where there is none.
std::string resolve_program(const std::string& name);

}  // namespace cudalabs::sanitizer
