// `vgpu run`: a program on the virtual GPU, and what was found.
#pragma once

#include <string>
#include <vector>

#include "vgpu/cudart/server/serve.h"

namespace cudalabs::vgpu {

struct RunOptions {
  std::vector<std::string> command;  // program and arguments
  std::string json;                  // file for the report; empty: none
  ServeOptions serve;                // connection and report are made here
};

/// Prints findings to stderr. Returns the program's exit code (128 + signal when it was killed); 1 where that is 0 and
/// there are findings of severity error or device code could not be loaded. Throws std::runtime_error when the program
/// cannot be started.
int run_program(const RunOptions& options);

}  // namespace cudalabs::vgpu
