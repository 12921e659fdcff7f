#include "speed/credit.h"

#include <algorithm>
#include <stdexcept>

namespace cudalabs::speed {

double credit(const SpeedThreshold& threshold, double ratio) {
  if (!(ratio > threshold.none)) return 0;
  return std::min(1.0, (ratio - threshold.none) / (threshold.full - threshold.none));
}

const SpeedThreshold& threshold_for(const SpeedTest& test, const std::string& device_class) {
  auto found = std::ranges::find(test.thresholds, device_class, &SpeedThreshold::device);
  if (found == test.thresholds.end()) found = std::ranges::find(test.thresholds, "any", &SpeedThreshold::device);
  if (found == test.thresholds.end()) throw std::logic_error("a speed test has no thresholds for any device");
  return *found;
}

}  // namespace cudalabs::speed
