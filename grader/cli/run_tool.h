// Runs a program of this machine to its end, silently: what it writes is its caller's.
#pragma once

#include <string>
#include <vector>

namespace cudalabs {

struct ToolRun {
  static constexpr int kNotInstalled = -1;
  int status = kNotInstalled;  // exit status; 128 + number for a signal
  std::string output, errors;  // the start of what it wrote to its standard output and error
};

/// `arguments`: [0] is looked for in PATH. It reads nothing. For trusted programs
/// only: there is no sandbox and no limit. Throws std::system_error when it cannot be started though it is there.
ToolRun run_tool(const std::vector<std::string>& arguments);

}  // namespace cudalabs
