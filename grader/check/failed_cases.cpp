#include "check/failed_cases.h"

#include <utility>

#include "check/session_state.h"

namespace cudalabs {

void note_failed_cases(std::vector<FailedCase> cases) {
  session_state().failed_cases = std::move(cases);
}

std::vector<FailedCase> take_failed_cases() {
  return std::exchange(session_state().failed_cases, {});
}

}  // namespace cudalabs
