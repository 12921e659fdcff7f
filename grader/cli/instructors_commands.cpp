// What instructors' `grade` can do besides.
#include <array>

#include "cli/class.h"
#include "cli/further_commands.h"
#include "cli/host_command.h"
#include "cli/kit_command.h"

namespace cudalabs {

std::span<const FurtherCommand> further_commands() {
  static const std::array commands = {
      FurtherCommand{"class", "Grade what a whole class has handed in: grade class --help", &run_class},
      FurtherCommand{"host", "Grade and tell a course host", &run_host_command},
      FurtherCommand{"kit", "Make what a course host wants to have, to grade a lab there", &run_kit_command}};
  return commands;
}

}  // namespace cudalabs
