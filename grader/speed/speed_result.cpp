#include "speed/speed_result.h"

#include "speed/baseline.h"
#include "speed/credit.h"

namespace cudalabs::speed {

SpeedResult nothing_known(const SpeedTest& test, const std::string& device, const std::string& device_class,
                          const std::map<std::string, std::int64_t>& parameters) {
  const SpeedThreshold& threshold = threshold_for(test, device_class);
  SpeedResult result;
  result.check = test.check;
  result.device = device;
  result.device_class = device_class;
  result.baseline = read_baseline(test.baseline).title;
  for (const auto& [name, value] : parameters) {
    if (value == 0) continue;  // no size, but what the runner asks for
    if (!result.size.empty()) result.size += ", ";
    result.size += name + " = " + std::to_string(value);
  }
  result.none = threshold.none;
  result.full = threshold.full;
  result.honours = threshold.honours;
  return result;
}

}  // namespace cudalabs::speed
