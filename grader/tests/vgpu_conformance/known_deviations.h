// Where the virtual GPU is known to differ from a real one, and why. A row that no longer holds fails the test.
#pragma once

#include <vector>

#include "outcomes.h"

namespace cudalabs::conformance {

inline std::vector<KnownDeviation> known_deviations() {
  return {};
}

}  // namespace cudalabs::conformance
