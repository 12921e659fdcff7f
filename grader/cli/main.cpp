// grade: arguments in, exit code out.
#include <string>
#include <variant>
#include <vector>

#include "cli/commands.h"
#include "cli/further_commands.h"
#include "cli/options.h"
#include "cli/run_program.h"

int main(int argc, char** argv) {
  using namespace cudalabs;
  return run_program([&]() -> int {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    for (const FurtherCommand& further : further_commands()) {
      if (!arguments.empty() && arguments[0] == further.name)
        return further.run({arguments.begin() + 1, arguments.end()});
    }
    const Command command = parse_command_line(arguments, further_commands());
    return std::visit([](const auto& parsed) -> int { return run_command(parsed); }, command);
  });
}
