// A call gets windows of its inputs at random places of pools, after random bytes were put into each window, and some
// of its outputs are kept before the next call runs. What remembers a result, or part of one, has the wrong one.
#include "speed/timed_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "datasets/element_value.h"

namespace cudalabs::speed {
namespace {

/// Windows begin where cudaMalloc's memory might: at multiples of what textures ask for.
constexpr std::uint64_t kAlignment = 512;
/// So long that the clock's own jitter, some 20 µs and now and then a millisecond, is a fraction of a percent: at 6 ms
/// the intervals were four times as wide. Copies between host and device, which calls of which launches are timed make,
/// vary more.
constexpr double kLongEnough = 20e-3, kLongEnoughWithCopies = 80e-3;
constexpr std::uint64_t kMostCalls = 2048, kMostLaunches = 1u << 20;

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

TimedProgram::TimedProgram(const Program& program, const std::filesystem::path& runner,
                           std::unique_ptr<datasets::TimedWork> work, std::map<std::string, std::int64_t> parameters,
                           Unit unit, Device device)
    : work_(std::move(work)),
      parameters_(std::move(parameters)),
      unit_(unit),
      pools_(work_->pools()),
      outputs_(work_->outputs()),
      random_(random_seed()),
      file_(*work_, parameters_, random_()),
      copy_(file_),
      session_(program, runner, device) {
  std::vector<std::span<const std::byte>> attached;
  for (std::size_t i = 0; i < pools_.size(); ++i) attached.push_back(copy_.pool(i));
  work_->attach(std::move(attached));
}

/// Of so many places after the first. What is wrong at an end only, as after a number of blocks that was rounded down,
/// would hardly ever be in a place chosen from all.
std::uint64_t TimedProgram::sample_start(std::uint64_t last) {
  switch (below(4)) {
    case 0:
      return 0;
    case 1:
      return last;
    default:
      return below(last + 1);
  }
}

Plan TimedProgram::make_plan(std::uint64_t units) {
  Plan plan;
  if (unit_ == Unit::launch) plan.launch_repeats = static_cast<std::uint32_t>(units);
  plan.calls.resize(unit_ == Unit::launch ? 1 : units);
  for (Plan::Call& call : plan.calls) {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      const std::uint64_t size = datasets::size_in_bytes(pools_[i].type);
      const auto window = static_cast<std::uint64_t>(pools_[i].window) * size;
      const std::uint64_t room = copy_.pool(i).size() - window;
      call.windows.push_back(below(room / kAlignment + 1) * kAlignment);
      // What stays on the host cannot be patched, nor what the first call has yet to put on the device.
      if (unit_ != Unit::call || !settled_) continue;
      Plan::Patch patch;
      patch.pool = static_cast<std::uint32_t>(i);
      patch.bytes.resize(std::min<std::uint64_t>(Plan::kPatchBytes, window));
      patch.offset = call.windows.back() + below((window - patch.bytes.size()) / size + 1) * size;
      work_->fill(i, patch.bytes, random_());
      call.patches.push_back(std::move(patch));
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const std::uint64_t size = datasets::size_in_bytes(outputs_[i].type);
      const auto elements = static_cast<std::uint64_t>(outputs_[i].elements);
      const std::uint64_t count = std::min<std::uint64_t>(elements, Plan::kSampleBytes / size);
      call.samples.push_back({static_cast<std::uint32_t>(i), sample_start(elements - count) * size,
                              static_cast<std::uint32_t>(count * size)});
    }
  }
  return plan;
}

void TimedProgram::verify(const Plan& plan, const std::vector<std::byte>& samples) {
  const std::byte* at = samples.data();
  std::vector<double> value, bound;
  for (const Plan::Call& call : plan.calls) {
    for (const Plan::Patch& patch : call.patches) {
      copy_.patch(patch.pool, patch.offset, patch.bytes);
      work_->changed(patch.pool, patch.offset, patch.bytes.size());
    }
    std::vector<std::int64_t> windows;
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      windows.push_back(static_cast<std::int64_t>(call.windows[i] / datasets::size_in_bytes(pools_[i].type)));
    }
    for (const Plan::Sample& sample : call.samples) {
      const datasets::OutputShape& output = outputs_[sample.output];
      const std::size_t size = datasets::size_in_bytes(output.type);
      const auto first = static_cast<std::int64_t>(sample.offset / size);
      value.assign(sample.bytes / size, 0);
      bound.assign(value.size(), 0);
      work_->expect(windows, sample.output, first, value, bound);
      for (std::size_t i = 0; i < value.size(); ++i) {
        const double got = datasets::element_value(output.type, at + i * size);
        if (!(std::abs(got - value[i]) <= bound[i])) {
          if (plan.launch_repeats > 1)
            throw NotRepeatable("launched again on the same data, the kernel gives another result");
          throw InvalidTiming(RunEnd::finished,
                              fmt::format("`{}` is wrong in a call that was timed: element {} is {}, expected {}",
                                          output.name, first + static_cast<std::int64_t>(i), got, value[i]));
        }
      }
      at += Plan::kSampleBytes;
    }
  }
}

GpuSession::Timing TimedProgram::time(std::uint64_t units) {
  const Plan plan = make_plan(units);
  const sandbox::Fd samples = samples_file(plan);
  const GpuSession::Timing timing = session_.measure(plan_file(plan), samples);
  if (timing.failure) {
    // Calls that launch once have succeeded before.
    if (plan.launch_repeats > 1) throw NotRepeatable("launched again on the same data, the kernel fails");
    throw InvalidTiming(timing.failure->end, timing.failure->detail);
  }
  verify(plan, copy_samples(plan, samples));
  return timing;
}

void TimedProgram::start() {
  if (const auto failure = session_.keep_pools(file_.file())) throw InvalidTiming(failure->end, failure->detail);
}

void TimedProgram::warm_up() {
  const std::uint64_t most = unit_ == Unit::launch ? kMostLaunches : kMostCalls;
  const double enough = unit_ == Unit::launch ? kLongEnoughWithCopies : kLongEnough;
  time(1);
  settled_ = true;
  const double alone = time(1).seconds;
  for (units_ = 1; units_ < most; units_ *= 2) {
    const double added = time(2 * units_).seconds - alone;
    if (added >= enough) break;
  }
}

double TimedProgram::seconds() {
  // Never the same one first: what grows from measurement to measurement would look like work.
  const bool long_first = below(2) == 0;
  const GpuSession::Timing first = time(long_first ? 2 * units_ : units_);
  const GpuSession::Timing second = time(long_first ? units_ : 2 * units_);
  const double more = (long_first ? 1 : -1) / static_cast<double>(units_);
  const double slope = (first.seconds - second.seconds) * more;
  claimed_ = std::max((first.claimed - second.claimed) * more, 0.0);
  // Jitter larger than the work itself: no time at all, which the floor will not believe.
  return std::max(slope, 1e-12);
}

}  // namespace cudalabs::speed
