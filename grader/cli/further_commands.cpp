#include "cli/further_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "cli/host_command.h"
#include "sandbox/own_files.h"

namespace cudalabs {
namespace {

/// Goes on as the program for whole classes, with these words. Throws where it does not start.
[[noreturn]] void become_course_program(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string program = sandbox::own_files().file(kCourseProgram).string();
  if (!std::filesystem::exists(program)) {
    throw std::runtime_error(
        fmt::format("{} does not exist: `{}` is a program of its own, and the build has not come to it; build the rest "
                    "of the grader",
                    program, command));
  }
  std::vector<char*> words{const_cast<char*>(program.c_str()), const_cast<char*>(command.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  throw std::system_error(errno, std::generic_category(), program);
}

std::vector<FurtherCommand> commands_here() {
  std::vector<FurtherCommand> commands = {{"host", "Grade and tell a course host", &run_host_command}};
  if (!sandbox::own_files().has(kCourseProgram)) return commands;
  commands.insert(commands.begin(), {"class", "Grade what a whole class has handed in: grade class --help",
                                     [](const std::vector<std::string>& arguments) -> int {
                                       become_course_program("class", arguments);
                                     }});
  commands.push_back(
      {"kit", "Make what a course host wants to have, to grade a lab there",
       [](const std::vector<std::string>& arguments) -> int { become_course_program("kit", arguments); }});
  return commands;
}

}  // namespace

std::span<const FurtherCommand> further_commands() {
  static const std::vector<FurtherCommand> commands = commands_here();
  return commands;
}

}  // namespace cudalabs
