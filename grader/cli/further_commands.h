// Commands with a parser of their own.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cudalabs {

/// What belongs to an instructor's grader: the program for whole classes (grader/course_cli/).
inline constexpr const char* kCourseProgram = "grade-course";

struct FurtherCommand {
  std::string name;         // "class"
  std::string description;  // for the list of commands
  /// `arguments` begin behind the name. The exit code. May throw what main() catches.
  int (*run)(const std::vector<std::string>& arguments);
};

/// Of this `grade`: those for whole classes are a program of their own (grader/course_cli/), which students do not get.
std::span<const FurtherCommand> further_commands();

}  // namespace cudalabs
