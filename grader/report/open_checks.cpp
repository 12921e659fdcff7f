// Checks that did not pass and that no finding explains.
#include "report/open_checks.h"

namespace cudalabs {

std::vector<const CheckResult*> checks_without_finding(const Report& report) {
  std::vector<const CheckResult*> open;
  for (const CheckResult& check : report.checks) {
    if (check.status == CheckStatus::failed && check.because.empty()) open.push_back(&check);
  }
  return open;
}

}  // namespace cudalabs
