// One side of a measurement: a program on the GPU whose calls are timed, and whose every call is looked at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "datasets/timed_work.h"
#include "lab/program_data.h"
#include "run/gpu_session.h"
#include "run/plan.h"
#include "run/pools.h"

namespace cudalabs::speed {

/// A timed call gave a wrong result, or ended early: there is no time then.
class InvalidTiming : public std::runtime_error {
 public:
  InvalidTiming(RunEnd end, const std::string& why) : std::runtime_error(why), end_(end) {}
  RunEnd end() const { return end_; }  // `finished`: the result was wrong

 private:
  RunEnd end_;
};

/// Launches that do something else when they are made again on the same data: nothing is wrong with that, but they
/// cannot be timed.
class NotRepeatable : public InvalidTiming {
 public:
  explicit NotRepeatable(const std::string& why) : InvalidTiming(RunEnd::finished, why) {}
};

/// What is timed: many calls, or many launches within one call that does other work as well. Calls whose inputs are on
/// the device get fresh values before each of them.
enum class Unit : std::uint8_t { call, call_on_host, launch };

class TimedProgram {
 public:
  /// `runner` was built for `device` from a submission to `program`, which must outlive this.
  TimedProgram(const Program& program, const std::filesystem::path& runner, std::unique_ptr<datasets::TimedWork> work,
               std::map<std::string, std::int64_t> parameters, Unit unit, Device device = Device::cuda);

  /// Starts the program and its driver, which takes longer than a measurement and need not be done alone on the GPU.
  /// Throws InvalidTiming, GpuUnfit.
  void start();

  /// After start(): puts the data on the device, runs warm, and finds how many calls make a measurement long enough.
  /// Throws InvalidTiming, GpuUnfit.
  void warm_up();

  /// Seconds of one unit: the slope between a number of them and twice as many, so that what they have in common does
  /// not count. Throws InvalidTiming.
  double seconds();

  /// The same of the last measurement by the program's own CUDA events, for information; 0: there are none.
  double claimed_seconds() const { return claimed_; }

 private:
  std::uint64_t sample_start(std::uint64_t last);
  Plan make_plan(std::uint64_t units);
  GpuSession::Timing time(std::uint64_t units);
  void verify(const Plan& plan, const std::vector<std::byte>& samples);
  std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : random_() % bound; }

  std::unique_ptr<datasets::TimedWork> work_;
  std::map<std::string, std::int64_t> parameters_;
  Unit unit_;
  std::vector<datasets::PoolShape> pools_;
  std::vector<datasets::OutputShape> outputs_;
  std::mt19937_64 random_;  // seeded from the machine: nobody knows what comes next
  Pools file_;
  PoolCopy copy_;  // as the runner's pools are now
  GpuSession session_;
  bool settled_ = false;  // a first call has put the pools where it wants them
  std::uint64_t units_ = 1;
  double claimed_ = 0;
};

}  // namespace cudalabs::speed
