#include "speed/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "run/gpu_turn.h"
#include "speed/baseline.h"
#include "speed/credit.h"
#include "speed/paired_measurement.h"
#include "speed/timed_program.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::speed {
namespace {

/// An interval is narrow enough when it leaves no more than this share of the points open.
constexpr double kOpenCredit = 0.1;
/// Reading alone is a little faster than a copy, and clocks are a little off; nothing on a device is faster than that.
constexpr double kMostOfCopy = 1.25, kMostOfPeak = 1.05;
constexpr std::int64_t kCopied = std::int64_t{1} << 26;
constexpr int kCopyTimes = 5;

/// Bytes a second of a copy within the device, reading and writing counted.
double copy_bandwidth(const Toolchain& nvcc) {
  const Baseline baseline = read_baseline(std::string(kCopy));
  const std::map<std::string, std::int64_t> parameters = {{"n", kCopied}};
  TimedProgram copy(baseline.program, built_baseline(baseline, nvcc, Device::cuda),
                    timed_work(baseline.work, parameters), parameters, Unit::call);
  copy.start();
  copy.warm_up();
  double best = copy.seconds();
  for (int i = 1; i < kCopyTimes; ++i) best = std::min(best, copy.seconds());
  return 2.0 * static_cast<double>(kCopied) * sizeof(float) / best;
}

Finding finding_of(const InvalidTiming& why) {
  Finding finding;
  finding.id = why.end() == RunEnd::finished ? finding_ids::kWrongWhenTimed : finding_ids::kFailedWhenTimed;
  finding.message = why.end() == RunEnd::finished
                        ? std::string(why.what())
                        : fmt::format("calls that were timed did not end well: {}", why.what());
  if (why.end() == RunEnd::device_reset) {
    finding.id = finding_ids::kDeviceReset;
    finding.message = "`cudaDeviceReset()` destroys all memory on the device, the arrays of your function's caller too";
    finding.help =
        "remove the call; free what your function allocated with `cudaFree`, and leave the rest to the caller";
    return finding;
  }
  if (why.end() == RunEnd::wall_limit) {
    finding.help =
        "a GPU does this work in milliseconds: look at how many threads share it, and for a loop without end";
    return finding;
  }
  finding.help =
      "the size is larger than in the cases, and every timed call gets other inputs: look at the type of indices and "
      "at limits of the grid, keep nothing from call to call, and let the work be enqueued when your function returns";
  return finding;
}

Finding too_fast(const SpeedResult& result, double floor) {
  Finding finding;
  finding.id = finding_ids::kFasterThanPossible;
  finding.message = fmt::format("a call seems to take {:.3g} µs, but this GPU needs {:.3g} µs at least for the work",
                                result.seconds * 1e6, floor * 1e6);
  finding.help = "the work must be done, all of it, by the time the device is idle after your function has returned";
  return finding;
}

/// What the grader's own program cannot do is no fault of the submission.
template <class Work>
auto of_baseline(const SpeedTest& test, Work work) {
  try {
    return work();
  } catch (const InvalidTiming& why) {
    throw std::runtime_error(fmt::format("the baseline {} failed: {}", test.baseline, why.what()));
  }
}

}  // namespace

double Benchmark::floor_of(const SpeedTest& test, double baseline_seconds) {
  if (test.baseline == kCopy) copy_bandwidth_ = test.baseline_bytes / baseline_seconds;
  if (!copy_bandwidth_) {
    say_("timing a copy within the device");
    copy_bandwidth_ = copy_bandwidth(*nvcc_);
  }
  return std::max(test.bytes / (kMostOfCopy * *copy_bandwidth_), test.operations / (kMostOfPeak * gpu_->peak_float32));
}

SpeedResult Benchmark::measure(const Program& program, const SpeedTest& test, const std::filesystem::path& runner) {
  SpeedResult result = nothing_known(test, gpu_->name, gpu_->device_class, test.parameters);
  const SpeedThreshold& threshold = threshold_for(test, gpu_->device_class);
  const Baseline baseline = read_baseline(test.baseline);
  std::optional<GpuTurn> turn;  // given back last: programs that end would disturb the next one's measurement
  TimedProgram theirs(baseline.program, built_baseline(baseline, *nvcc_, Device::cuda),
                      timed_work(baseline.work, test.baseline_parameters), test.baseline_parameters,
                      baseline.on_host ? Unit::call_on_host : Unit::call);
  result.kind = SpeedResult::Kind::measured;
  try {
    TimedProgram mine(program, runner, timed_work(test.work, test.parameters), test.parameters,
                      test.per_launch ? Unit::launch : Unit::call);
    say_("starting the submission and the baseline on the GPU");
    {
      const GpuTurn starting(GpuTurn::Kind::shared);
      of_baseline(test, [&] { theirs.start(); });
      mine.start();
    }
    say_("waiting for the GPU to be free");
    turn.emplace(GpuTurn::Kind::alone);
    say_("timing the submission");
    of_baseline(test, [&] { theirs.warm_up(); });
    mine.warm_up();
    const double scale = test.share_of_baseline();
    const auto points = [&](double ratio) { return credit(threshold, ratio * scale); };
    std::size_t pairs = 0;
    std::vector<double> claims;
    const auto pairs_by_turns = [&] {
      claims.clear();
      return measure_pairs(
          [&] {
            say_(fmt::format("timing the submission against {}, pair {}", result.baseline, ++pairs));
            const double seconds = mine.seconds();
            claims.push_back(mine.claimed_seconds());
            return seconds;
          },
          [&] { return of_baseline(test, [&] { return theirs.seconds(); }); },
          [&](const Interval& ratio) { return points(ratio.high) - points(ratio.low) <= kOpenCredit; });
    };
    PairedResult measurement = pairs_by_turns();
    const double floor =
        of_baseline(test, [&] { return floor_of(test, bootstrap_median(measurement.baseline).median); });
    const Plausibility plausibility = plausibility_of(measurement, floor, [&] {
      mine.warm_up();
      return pairs_by_turns();
    });
    if (plausibility == Plausibility::impossible && test.per_launch) {
      throw NotRepeatable("launched again on the same data, the kernel does less than there is to do");
    }
    result.baseline_seconds = bootstrap_median(measurement.baseline).median;
    // A submission that is faster than possible is shown as fast as it pretends to be.
    if (floor > 0 && plausibility != Plausibility::impossible) {
      limit_ratios(measurement, result.baseline_seconds / floor);
    }
    result.pairs = measurement.ratios.size();
    result.ratio = measurement.ratio.median * scale;
    result.low = measurement.ratio.low * scale;
    result.high = measurement.ratio.high * scale;
    result.decided = measurement.decided;
    result.seconds = bootstrap_median(measurement.submission).median;
    result.event_seconds = bootstrap_median(claims).median;
    for (const double ratio : measurement.ratios) result.ratios.push_back(ratio * scale);
    result.credit = points(measurement.ratio.median);
    if (plausibility == Plausibility::impossible) {
      result.finding = too_fast(result, floor);
      result.credit = 0;
    }
    if (plausibility == Plausibility::undecided) {
      result.decided = false;
      result.doubt = "the times of some measurements were shorter than possible: something disturbed them";
    }
  } catch (const NotRepeatable& why) {
    result.kind = SpeedResult::Kind::unknown;
    result.doubt = why.what();
  } catch (const InvalidTiming& why) {
    result.finding = finding_of(why);
    result.credit = 0;
  }
  return result;
}

}  // namespace cudalabs::speed
