// Names of a report's values.
#include "report/report.h"

namespace cudalabs {

std::string_view name_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed:
      return "passed";
    case CheckStatus::failed:
      return "failed";
    case CheckStatus::skipped:
      return "skipped";
    case CheckStatus::error:
      return "error";
  }
  return "error";
}

}  // namespace cudalabs
