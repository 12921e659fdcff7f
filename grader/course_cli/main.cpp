// grade-course: `grade class` and `grade kit`, which `grade` starts. The first word says which of the two.
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "cli/usage_error.h"
#include "course_cli/class.h"
#include "course_cli/kit_command.h"

int main(int argc, char** argv) {
  using namespace cudalabs;
  return run_program([&] {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const std::string command = words.empty() ? "" : words[0];
    if (command == "class") return run_class({words.begin() + 1, words.end()});
    if (command == "kit") return run_kit_command({words.begin() + 1, words.end()});
    throw UsageError("this program belongs to `grade`, which starts it as `grade-course class` or `grade-course kit`");
  });
}
