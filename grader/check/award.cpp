#include "check/award.h"

#include <stdexcept>
#include <utility>

namespace cudalabs {
namespace {

std::optional<double> awarded;

}  // namespace

void award(double share) {
  if (!(share >= 0 && share <= 1)) throw std::logic_error("a share of points is from 0 to 1");
  awarded = share;
}

std::optional<double> take_award() {
  return std::exchange(awarded, std::nullopt);
}

}  // namespace cudalabs
