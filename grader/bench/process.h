// Runs a command as a child process and says what it cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::bench {

struct ProcessCost {
  int exit_code = -1;
  double wall_seconds = 0;
  std::uint64_t peak_bytes =
      0;  // largest sum of resident sets over the process and its descendants, sampled every 10 ms
};

/// Output is discarded. `environment` entries ("NAME=value") are added to this process's own.
/// Throws std::runtime_error when the command cannot be started.
ProcessCost run_process(const std::vector<std::string>& command, const std::string& working_folder,
                        const std::vector<std::string>& environment = {});

}  // namespace cudalabs::bench
