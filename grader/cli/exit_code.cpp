// What the exit code of `grade` means.
#include "cli/exit_code.h"

#include <algorithm>

namespace cudalabs {

ExitCode exit_code_of(const Report& report) {
  const auto all = [&](CheckStatus status) {
    return std::ranges::all_of(report.checks, [=](const CheckResult& check) { return check.status == status; });
  };
  const auto any = [&](CheckStatus status) {
    return std::ranges::any_of(report.checks, [=](const CheckResult& check) { return check.status == status; });
  };
  if (report.checks.empty() || any(CheckStatus::error)) return kInternalError;
  return all(CheckStatus::passed) ? kFullMarks : kFellShort;
}

}  // namespace cudalabs
