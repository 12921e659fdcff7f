// How speed is asked for, as data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cudalabs {

/// What speed earns on one class of devices: no points up to `none` times the baseline's speed, all of them from `full`
/// on, and on a straight line between the two.
struct SpeedThreshold {
  std::string device;  // a named GPU, "h200", or "any"
  double none = 0, full = 1;
  double honours = 0;  // far beyond what the lab asks, and worth a word; 0: nothing is
  std::string source;  // where the figures come from
};

/// How a program's function is timed, and against what, for one check.
struct SpeedTest {
  std::string check;  // id of the check it decides, of category speed
  std::string work;   // what is timed: a name that timed_work_for() knows
  std::map<std::string, std::int64_t> parameters;
  // Sizes for the virtual GPU, which executes a sample of the blocks but holds all of the data. A rate's share of the
  // baseline's work is the same as at the sizes that are measured.
  std::map<std::string, std::int64_t> modelled_parameters, modelled_baseline_parameters;
  bool per_launch = false;  // times launches: a call also copies between host and device
  std::string baseline;     // "copy", "coalesced_product": one of the pinned ones
  std::map<std::string, std::int64_t> baseline_parameters;
  double bytes = 0;       // a call, or a launch, must move so many at least, reading and writing
  double operations = 0;  // and must make so many floating-point operations
  // What the baseline does, where that is other work: then rates are compared. 0: it does the same, and times are.
  double baseline_bytes = 0, baseline_operations = 0;

  /// How much of the baseline's work a call, or a launch, does.
  double share_of_baseline() const;
  std::vector<SpeedThreshold> thresholds;
};

}  // namespace cudalabs
