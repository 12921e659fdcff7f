// Commands with a parser of their own. Students' `grade` has fewer: some need libraries that it does without.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cudalabs {

struct FurtherCommand {
  std::string name;         // "class"
  std::string description;  // for the list of commands
  /// `arguments` begin behind the name. The exit code. May throw what main() catches.
  int (*run)(const std::vector<std::string>& arguments);
};

/// Of the program that is linked: each links one file that defines it.
std::span<const FurtherCommand> further_commands();

}  // namespace cudalabs
