// Timing several ways to the same result against each other, fairly: in one run, interleaved, on equal terms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device.h"
#include "judge.h"

namespace cudalabs::ladder {

struct TimedStep {
  std::string name;
  std::function<void()> run;  // enqueues the work on the default stream
};

/// One step's times. Shares are of the limit's time in the same round, so that a slow drift of the clock divides
/// out; 1 is as fast as the limit.
struct Measurement {
  std::string name;
  double milliseconds = 0;                          // median
  double share = 0, share_low = 0, share_high = 0;  // median and quartiles
  double worst_error = 0;                           // of the allowed error, over all rounds
  int verified = 0;                                 // outputs checked, those of the warm-up included
};

struct TimingRounds {
  std::vector<TimedStep> steps;                  // the first is the limit
  std::function<void(int round)> prepare;        // fresh inputs and their reference
  std::function<void()> poison;                  // before each run
  std::function<Verdict(bool is_limit)> verify;  // after each run, timed or not
};

inline constexpr int kWarmUpRounds = 2;
inline constexpr int kTimedRounds = 15;

/// Runs `kWarmUpRounds + kTimedRounds` rounds. In a round every step runs once, in random order, on the same
/// inputs, with its output poisoned before and the L2 cache full of something else. Throws std::runtime_error when an
/// output is wrong: a wrong step has no time.
std::vector<Measurement> hold(const TimingRounds& rounds);

/// The median; of the two middle values the mean.
double median(std::vector<double> values);
/// The value below which `part` (0 to 1) of the values lie, interpolated.
double quantile(std::vector<double> values, double part);

}  // namespace cudalabs::ladder
