// Pairs of times by turns, and when their ratio is sure enough: with clocks that are made up.
#include "speed/paired_measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "catch.h"

using namespace cudalabs::speed;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const auto kNever = [](const Interval&) { return false; };
const auto kAtOnce = [](const Interval&) { return true; };

/// Two sides of a measurement whose times have noise, and now and then are half as long again.
class NoisyClocks {
 public:
  NoisyClocks(double ratio, std::uint64_t seed) : ratio_(ratio), random_(seed) {}
  double submission() { return time(); }
  double baseline() { return ratio_ * time(); }

 private:
  double time() {
    constexpr double kSpread = 0.02, kOutliers = 0.05;
    const double noise = 1 + kSpread * std::normal_distribution<double>()(random_);
    return noise * (std::uniform_real_distribution<double>()(random_) < kOutliers ? 1.5 : 1);
  }

  double ratio_;
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("the sides take turns, and another one begins each pair") {
  std::string turns;
  const auto clock = [&](char side) {
    return [&turns, side] {
      turns += side;
      return side == 's' ? 2.0 : 3.0;
    };
  };
  const PairedResult result = measure_pairs(clock('s'), clock('b'), kNever, {.least_pairs = 2, .most_pairs = 5});
  CHECK(turns == "sbbssbbssb");
  CHECK(result.submission == std::vector<double>(5, 2.0));
  CHECK(result.baseline == std::vector<double>(5, 3.0));
  CHECK(result.ratios == std::vector<double>(5, 1.5));
  CHECK(result.ratio.median == 1.5);
  CHECK(result.ratio.low == 1.5);
  CHECK(result.ratio.high == 1.5);
}

TEST_CASE("a measurement has its fewest pairs before an interval is asked for, and ends when it is decided") {
  const auto second = [] { return 1.0; };
  std::size_t asked = 0;
  const PairedResult soon = measure_pairs(second, second, [&](const Interval&) { return ++asked == 1; });
  CHECK(asked == 1);
  CHECK(soon.ratios.size() == 9);
  CHECK(soon.decided);
  asked = 0;
  const PairedResult later = measure_pairs(second, second, [&](const Interval&) { return ++asked == 4; });
  CHECK(later.ratios.size() == 12);
  CHECK(later.decided);
}

TEST_CASE("a measurement that nothing decides ends at its most pairs, and says so") {
  const auto second = [] { return 1.0; };
  const PairedResult result = measure_pairs(second, second, kNever);
  CHECK(result.ratios.size() == 45);
  CHECK_FALSE(result.decided);
  CHECK(result.ratio.median == 1);
}

TEST_CASE("what a clock throws ends a measurement") {
  int calls = 0;
  const auto breaks = [&]() -> double {
    if (++calls == 4) throw std::runtime_error("no time");
    return 1;
  };
  CHECK_THROWS_AS(measure_pairs(
                      breaks, [] { return 1.0; }, kNever),
                  std::runtime_error);
  CHECK(calls == 4);
}

TEST_CASE("a drift of the machine does not move the ratio") {
  // A thousandth slower from measurement to measurement: a twelfth, all in all.
  double slowness = 1;
  const auto clock = [&](double seconds) { return [&slowness, seconds] { return seconds * (slowness *= 1.001); }; };
  for (const std::size_t pairs : {std::size_t{10}, std::size_t{45}}) {
    slowness = 1;
    const PairedResult result =
        measure_pairs(clock(1.0), clock(1.1), kNever, {.least_pairs = pairs, .most_pairs = pairs});
    CHECK(result.submission.back() > (1 + 0.0015 * static_cast<double>(pairs)) * result.submission.front());
    CHECK(std::abs(result.ratio.median / 1.1 - 1) < 0.0011);
    CHECK(result.ratio.low <= 1.1);
    CHECK(result.ratio.high >= 1.1);
  }
}

TEST_CASE("the median and its interval are the same in any order") {
  std::mt19937_64 random(7);
  std::vector<double> values(23);
  for (double& value : values) value = std::normal_distribution<double>(1, 0.1)(random);
  const Interval interval = bootstrap_median(values);
  for (int i = 0; i < 5; ++i) {
    std::ranges::shuffle(values, random);
    const Interval again = bootstrap_median(values);
    CHECK(again.median == interval.median);
    CHECK(again.low == interval.low);
    CHECK(again.high == interval.high);
  }
}

TEST_CASE("the median of an odd and of an even number of values") {
  CHECK(bootstrap_median({5}).median == 5);
  CHECK(bootstrap_median({5}).low == 5);
  CHECK(bootstrap_median({5}).high == 5);
  CHECK(bootstrap_median({9, 1, 2}).median == 2);
  CHECK(bootstrap_median({9, 1, 2, 4}).median == 3);
  CHECK(bootstrap_median({-1, -1, -1, 1e300}).median == -1);
}

TEST_CASE("values that are not numbers have no median") {
  CHECK_THROWS_AS(bootstrap_median({}), std::invalid_argument);
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    CHECK_THROWS_AS(bootstrap_median({bad}), std::invalid_argument);
    CHECK_THROWS_AS(bootstrap_median({1, 2, bad, 3}), std::invalid_argument);
  }
  // A side that takes no time has no ratio.
  CHECK_THROWS_AS(measure_pairs([] { return 0.0; }, [] { return 1.0; }, kAtOnce), std::invalid_argument);
}

TEST_CASE("the interval holds the median of the values, and nearly always that of what they come from") {
  std::mt19937_64 random(11);
  int holds = 0;
  constexpr int kSamples = 200;
  for (int i = 0; i < kSamples; ++i) {
    std::vector<double> values(15);
    for (double& value : values) value = std::normal_distribution<double>(1, 0.03)(random);
    const Interval interval = bootstrap_median(values);
    REQUIRE(interval.low <= interval.median);
    REQUIRE(interval.median <= interval.high);
    REQUIRE(interval.low >= *std::ranges::min_element(values));
    REQUIRE(interval.high <= *std::ranges::max_element(values));
    holds += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
  }
  CHECK(holds >= kSamples * 90 / 100);
  CHECK(holds < kSamples);
}

TEST_CASE("noise and outliers seldom lead to the wrong side of a threshold 2.5 % away") {
  constexpr double kThreshold = 1.3;
  constexpr int kMeasurements = 200;
  int wrong = 0, undecided = 0;
  for (int i = 0; i < kMeasurements; ++i) {
    const bool above = i % 2 == 0;
    NoisyClocks clocks(kThreshold * (above ? 1.025 : 1 / 1.025), 1000 + static_cast<std::uint64_t>(i));
    const PairedResult result =
        measure_pairs([&] { return clocks.submission(); }, [&] { return clocks.baseline(); },
                      [](const Interval& ratio) { return ratio.low > kThreshold || ratio.high < kThreshold; });
    wrong += (result.ratio.median > kThreshold) == above ? 0 : 1;
    undecided += result.decided ? 0 : 1;
  }
  CHECK(wrong <= 4);
  CHECK(undecided <= 10);
}

namespace {

/// A measurement of nine equal times, or of times half of which are far longer.
PairedResult measured(double seconds, double longer = 0) {
  PairedResult result;
  for (int i = 0; i < 9; ++i) result.submission.push_back(i % 2 != 0 && longer > 0 ? longer : seconds);
  return result;
}

/// What is said of measurements that come one after the other; how many of them were asked for beyond the first.
Plausibility said_of(std::vector<PairedResult> measurements, std::size_t& more, double& kept) {
  more = 0;
  PairedResult measurement = measurements.front();
  const Plausibility verdict = plausibility_of(measurement, 1.0, [&] { return measurements.at(++more); });
  kept = measurement.submission.front();
  return verdict;
}

}  // namespace

TEST_CASE("a time that can be true is believed at once") {
  std::size_t more = 0;
  double kept = 0;
  CHECK(said_of({measured(1.0)}, more, kept) == Plausibility::possible);
  CHECK(said_of({measured(7.0)}, more, kept) == Plausibility::possible);
  CHECK(more == 0);
}

TEST_CASE("a time that is too short is measured again before it counts against the submission") {
  std::size_t more = 0;
  double kept = 0;
  CHECK(said_of({measured(0.5), measured(2.0)}, more, kept) == Plausibility::undecided);
  CHECK(more == 1);
  CHECK(kept == 2.0);
  CHECK(said_of({measured(0.5), measured(0.5), measured(3.0)}, more, kept) == Plausibility::undecided);
  CHECK(more == 2);
  CHECK(kept == 3.0);
  CHECK(said_of({measured(0.5), measured(0.6), measured(0.7)}, more, kept) == Plausibility::impossible);
  CHECK(more == 2);
}

TEST_CASE("a median that is too short within its own noise accuses nobody") {
  std::size_t more = 0;
  double kept = 0;
  const PairedResult noisy = measured(0.5, 9.0), clear = measured(0.5);
  CHECK(said_of({noisy, noisy, noisy}, more, kept) == Plausibility::undecided);
  CHECK(said_of({clear, noisy, clear}, more, kept) == Plausibility::undecided);
}

TEST_CASE("a pair in which noise hid the time says no more than what the device can do") {
  PairedResult pairs;
  pairs.ratios = {0.9, 1.1, 2e8, 1.0, 3e8, 0.95, 1e8, 1.05, 0.98};
  pairs.ratio = bootstrap_median(pairs.ratios);
  const double median = pairs.ratio.median, low = pairs.ratio.low;
  REQUIRE(pairs.ratio.high > 1e7);
  limit_ratios(pairs, 1.6);
  CHECK(pairs.ratio.median == median);
  CHECK(pairs.ratio.low == low);
  CHECK(pairs.ratio.high == 1.6);
  CHECK(pairs.ratios == std::vector<double>{0.9, 1.1, 1.6, 1.0, 1.6, 0.95, 1.6, 1.05, 0.98});
}

TEST_CASE("ratios are limited by a positive number only") {
  PairedResult pairs;
  pairs.ratios = {1.0};
  CHECK_THROWS_AS(limit_ratios(pairs, 0), std::invalid_argument);
  CHECK_THROWS_AS(limit_ratios(pairs, -1), std::invalid_argument);
  CHECK_THROWS_AS(limit_ratios(pairs, kNan), std::invalid_argument);
}
