// Why pairs by turns and the median of their ratios: with all times of one side taken before all of the other, drift
// makes the verdict worse the more runs there are; with pairs, fifteen decide a ratio 2.5 % off a threshold at 2 %
// noise with one error in a hundred.
#include "speed/paired_measurement.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace cudalabs::speed {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr double kTail = 0.025;

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

Interval bootstrap_median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("no values have no median");
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    throw std::invalid_argument("a median of values that are not numbers");
  }
  std::ranges::sort(values);
  std::mt19937_64 random(values.size());
  std::vector<double> medians, resample(values.size());
  for (std::size_t i = 0; i < kResamples; ++i) {
    for (double& value : resample) value = values[random() % values.size()];
    medians.push_back(median_of(resample));
  }
  std::ranges::sort(medians);
  const auto at = [&](double share) { return medians[static_cast<std::size_t>(share * (kResamples - 1))]; };
  return {median_of(values), at(kTail), at(1 - kTail)};
}

PairedResult measure_pairs(const std::function<double()>& submission, const std::function<double()>& baseline,
                           const std::function<bool(const Interval&)>& decided, const PairingRules& rules) {
  PairedResult result;
  while (result.ratios.size() < rules.most_pairs) {
    double mine = 0, theirs = 0;
    if (result.ratios.size() % 2 == 0) {
      mine = submission();
      theirs = baseline();
    } else {
      theirs = baseline();
      mine = submission();
    }
    result.submission.push_back(mine);
    result.baseline.push_back(theirs);
    result.ratios.push_back(theirs / mine);
    if (result.ratios.size() < rules.least_pairs) continue;
    result.ratio = bootstrap_median(result.ratios);
    result.decided = decided(result.ratio);
    if (result.decided) break;
  }
  return result;
}

Plausibility plausibility_of(PairedResult& pairs, double floor, const std::function<PairedResult()>& measure_again) {
  bool beyond_noise = true;
  for (int measurement = 1;; ++measurement) {
    const Interval seconds = bootstrap_median(pairs.submission);
    if (seconds.median >= floor) return measurement == 1 ? Plausibility::possible : Plausibility::undecided;
    beyond_noise = beyond_noise && seconds.high < floor;
    if (measurement == kMeasurements) return beyond_noise ? Plausibility::impossible : Plausibility::undecided;
    pairs = measure_again();
  }
}

void limit_ratios(PairedResult& pairs, double most) {
  if (!(most > 0)) throw std::invalid_argument("a device that does nothing limits no ratio");
  for (double& ratio : pairs.ratios) ratio = std::min(ratio, most);
  pairs.ratio = bootstrap_median(pairs.ratios);
}

}  // namespace cudalabs::speed
