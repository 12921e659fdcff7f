// What is known of a submission's speed, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/speed_test.h"
#include "vgpu/finding.h"

namespace cudalabs {

struct SpeedResult {
  enum class Kind : std::uint8_t {
    measured,  // on a real GPU, against the baseline on the same one
    modelled,  // from what the virtual GPU counted, for a named GPU
    unknown    // neither: `doubt` says why
  };
  Kind kind = Kind::unknown;
  std::string check;         // id of the rubric's check
  std::string device;        // "NVIDIA H200"
  std::string device_class;  // the thresholds that apply: "h200", "any"
  std::string baseline;      // for people: "a naive product with coalesced accesses"
  std::string size;          // "m = 2048, n = 2048, p = 2048"

  double ratio = 0, low = 0, high = 0;       // how many times the baseline's speed; measured: a 95 % interval
  std::size_t pairs = 0;                     // measured: of times taken by turns
  bool decided = true;                       // measured: the interval is narrow enough for the points
  std::vector<double> ratios;                // measured: of each pair
  double seconds = 0, baseline_seconds = 0;  // of one call, or one launch
  double event_seconds = 0;                  // measured: the submission's by CUDA events, which it could falsify
  double credit = 0;                         // share of the check's points, 0 to 1
  double none = 0, full = 0;                 // the thresholds: no points up to the one, all from the other on
  double honours = 0;                        // beyond what the lab asks; 0: there is no such thing

  std::string bound;               // modelled: what most of the time goes into: "memory", "issue"
  std::string advice;              // what to do about it, in place of what the check says; often nothing
  std::string doubt;               // why nothing is known, or how far to trust it
  std::optional<Finding> finding;  // what went wrong while calls were timed
};

namespace speed {

/// A result of which only what is asked for is known: check, device, baseline, size and thresholds.
SpeedResult nothing_known(const SpeedTest& test, const std::string& device, const std::string& device_class,
                          const std::map<std::string, std::int64_t>& parameters);

}  // namespace speed

}  // namespace cudalabs
