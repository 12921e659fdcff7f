// What students' `grade` can do besides: hosts grade in places that students can look into.
#include <array>

#include "cli/further_commands.h"
#include "cli/host_command.h"

namespace cudalabs {

std::span<const FurtherCommand> further_commands() {
  static const std::array commands = {FurtherCommand{"host", "Grade and tell a course host", &run_host_command}};
  return commands;
}

}  // namespace cudalabs
