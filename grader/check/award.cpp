#include "check/award.h"

#include <stdexcept>
#include <utility>

#include "check/session_state.h"

namespace cudalabs {

void award(double share) {
  if (!(share >= 0 && share <= 1)) throw std::logic_error("a share of points is from 0 to 1");
  session_state().award = share;
}

std::optional<double> take_award() {
  return std::exchange(session_state().award, std::nullopt);
}

}  // namespace cudalabs
