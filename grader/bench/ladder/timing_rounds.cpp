// Timing several ways to the same result against each other, in random order within each round.
#include "timing_rounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "inputs.h"

namespace cudalabs::ladder {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{256} << 20;  // several times the largest L2 cache

}  // namespace

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double place = part * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

std::vector<Measurement> hold(const TimingRounds& rounds) {
  DeviceArray<float> flush(kFlushBytes / sizeof(float));
  check(cudaMemset(flush.data(), 0, flush.bytes()), "cudaMemset");
  Stopwatch stopwatch;
  std::mt19937 random(4);
  std::vector<std::size_t> order(rounds.steps.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<double>> times(order.size());
  std::vector<Measurement> results(order.size());

  for (int round = 0; round < kWarmUpRounds + kTimedRounds; ++round) {
    rounds.prepare(round);
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t index : order) {
      const TimedStep& step = rounds.steps[index];
      rounds.poison();
      read_all(flush.data(), flush.size());
      // All of this is queued before the device gets there, so no host time falls between the two events.
      stopwatch.start();
      step.run();
      stopwatch.stop();
      check(cudaGetLastError(), step.name.c_str());
      const double milliseconds = stopwatch.milliseconds();
      const Verdict verdict = rounds.verify(index == 0);
      if (!verdict.ok()) throw std::runtime_error(step.name + ": " + verdict.text());
      results[index].worst_error = std::max(results[index].worst_error, verdict.worst);
      ++results[index].verified;
      if (round >= kWarmUpRounds) times[index].push_back(milliseconds);
    }
  }

  for (std::size_t i = 0; i < results.size(); ++i) {
    std::vector<double> shares;
    for (std::size_t round = 0; round < times[i].size(); ++round) shares.push_back(times[0][round] / times[i][round]);
    results[i].name = rounds.steps[i].name;
    results[i].milliseconds = median(times[i]);
    results[i].share = median(shares);
    results[i].share_low = quantile(shares, 0.25);
    results[i].share_high = quantile(shares, 0.75);
  }
  return results;
}

}  // namespace cudalabs::ladder
