// Submission against baseline: pairs of times taken by turns, and how sure their ratio is. Pure but for the two clocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cudalabs::speed {

/// An interval for the median of a sample.
struct Interval {
  double median = 0, low = 0, high = 0;
};

/// 95 % of bootstrap resamples have their median between low and high. The same for the same values, in any order.
/// Throws std::invalid_argument when there is none, or one is not finite.
Interval bootstrap_median(std::vector<double> values);

struct PairingRules {
  std::size_t least_pairs = 9, most_pairs = 45;
};

struct PairedResult {
  Interval ratio;                  // baseline's seconds over the submission's
  std::vector<double> ratios;      // of each pair, in the order they were taken
  std::vector<double> submission;  // seconds a call
  std::vector<double> baseline;
  bool decided = false;
};

/// Takes pairs until `decided` is content with the interval, `rules.least_pairs` at least, `rules.most_pairs` at most.
/// Who goes first changes from pair to pair, so that a drift of the machine favours neither. What the clocks throw
/// comes through.
PairedResult measure_pairs(const std::function<double()>& submission, const std::function<double()>& baseline,
                           const std::function<bool(const Interval&)>& decided, const PairingRules& rules = {});

/// Whether times can be true of work that takes the device `floor` seconds at least.
enum class Plausibility : std::uint8_t {
  possible,
  undecided,  // some measurements were too short, and others of the same were not
  impossible  // every measurement was too short, beyond its own noise
};

/// Looks at `pairs`, and as long as its submission's times are too short at another one from `measure_again`, up
/// to `kMeasurements` together: no single disturbed measurement may count against a submission. `pairs` become those to
/// go by, the last that were possible if there were any.
constexpr int kMeasurements = 3;
Plausibility plausibility_of(PairedResult& pairs, double floor, const std::function<PairedResult()>& measure_again);

/// Takes every ratio above `most`, what the device can do at best, for `most`, and its interval anew: a pair in which
/// noise hid the submission's time says no more than that. Throws std::invalid_argument unless `most` is positive.
void limit_ratios(PairedResult& pairs, double most);

}  // namespace cudalabs::speed
