#include "cli/run_program.h"

#include <cstdio>
#include <exception>
#include <string>

#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/usage_error.h"
#include "grading/request_error.h"

namespace cudalabs {
namespace {

void say(const std::exception& error) {
  std::string name = "grade";
  try {
    name = invocation().name;
  } catch (const std::exception&) {
    // What looks for the grader's own files says so itself.
  }
  std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
}

}  // namespace

int run_program(const std::function<int()>& work) {
  try {
    return work();
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

}  // namespace cudalabs
