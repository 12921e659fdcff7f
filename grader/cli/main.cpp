// grade: arguments in, exit code out.
#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/further_commands.h"
#include "cli/invocation.h"
#include "cli/options.h"
#include "cli/usage_error.h"
#include "grading/request_error.h"

namespace {

void say(const std::exception& error) {
  std::string name = "grade";
  try {
    name = cudalabs::invocation().name;
  } catch (const std::exception&) {
    // What looks for the grader's own files says so itself.
  }
  std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace cudalabs;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    for (const FurtherCommand& further : further_commands()) {
      if (!arguments.empty() && arguments[0] == further.name)
        return further.run({arguments.begin() + 1, arguments.end()});
    }
    const Command command = parse_command_line(arguments, further_commands());
    return std::visit([](const auto& parsed) { return run_command(parsed); }, command);
  } catch (const UsageError& error) {
    say(error);
    return kUsage;
  } catch (const RequestError& error) {
    say(error);
    return kUsage;
  } catch (const std::exception& error) {
    say(error);
    return kInternalError;
  }
}
