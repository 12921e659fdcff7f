// From a ratio to points: the formula that the handouts publish.
#pragma once

#include "lab/speed_test.h"

namespace cudalabs::speed {

/// Share of a check's points for being `ratio` times as fast as the baseline: 0 up to `none`, 1 from `full` on, and on
/// a straight line between them. Monotone; 0 for what is not a number.
double credit(const SpeedThreshold& threshold, double ratio);

/// The thresholds for a class of devices: its own, or those for "any". Throws std::logic_error when there are neither.
const SpeedThreshold& threshold_for(const SpeedTest& test, const std::string& device_class);

}  // namespace cudalabs::speed
