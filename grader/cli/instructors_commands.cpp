// What instructors' `grade` can do besides.
#include <array>

#include "cli/class.h"
#include "cli/further_commands.h"

namespace cudalabs {

std::span<const FurtherCommand> further_commands() {
  static const std::array commands = {
      FurtherCommand{"class", "Grade what a whole class has handed in: grade class --help", &run_class}};
  return commands;
}

}  // namespace cudalabs
