// grade: arguments in, exit code out.
#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/usage_error.h"
#include "grading/request_error.h"
#ifdef CUDALABS_COURSE
#include "cli/class.h"
#endif

int main(int argc, char** argv) {
  using namespace cudalabs;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
#ifdef CUDALABS_COURSE
    if (!arguments.empty() && arguments[0] == "class") return run_class({arguments.begin() + 1, arguments.end()});
#endif
    const Command command = parse_command_line(arguments);
    return std::visit([](const auto& parsed) { return run_command(parsed); }, command);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "grade: %s\n", error.what());
    return kUsage;
  } catch (const RequestError& error) {
    std::fprintf(stderr, "grade: %s\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "grade: %s\n", error.what());
    return kInternalError;
  }
}
