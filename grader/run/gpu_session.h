// A submission on this machine's real GPU: one runner process for many cases, because starting the driver takes as long
// as dozens of them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "datasets/dataset.h"
#include "lab/program_data.h"
#include "run/real_device.h"
#include "run/run.h"
#include "sandbox/fd.h"

namespace cudalabs {

/// How work that did not succeed ended.
struct Failure {
  RunEnd end = RunEnd::protocol_error;
  std::string detail;  // one line for people
};

/// Not for use by several threads. What fails ends the process; the next piece of work gets a fresh one.
class GpuSession {
 public:
  /// `runner` was built for `device`; the virtual GPU stands in for a real one in tests. Starts nothing yet. `lab` must
  /// outlive the session.
  GpuSession(const Program& program, std::filesystem::path runner, Device device = Device::cuda);
  ~GpuSession();
  GpuSession(const GpuSession&) = delete;
  GpuSession& operator=(const GpuSession&) = delete;

  /// Runs a case that makes no call fail. A failure in a process that ran other cases before is tried again in a fresh
  /// one: a case must not suffer from what another left behind. Only end, detail, console, outputs and wall_seconds of
  /// the observation are filled. Throws GpuUnfit.
  Observation run(const datasets::Case& test);
  /// The same in a fresh process, for outputs that may be wrong because of what other cases left behind.
  Observation run_first(const datasets::Case& test);
  /// No other case ran before the last one in its process.
  bool was_first() const { return was_first_; }

  /// Hands over pools (run/pools.h) for the measurements to come. Throws GpuUnfit.
  std::optional<Failure> keep_pools(const sandbox::Fd& pools);

  /// Makes the calls of a plan (run/plan.h) after keep_pools().
  struct Timing {
    double seconds = 0;  // from GO to DONE on this side's clock
    double claimed = 0;  // seconds by CUDA events: the runner's own word, for information
    std::optional<Failure> failure;
  };
  Timing measure(const sandbox::Fd& plan, const sandbox::Fd& samples);

 private:
  struct Running;
  Timing work(std::uint32_t work, const sandbox::Fd& inputs, const sandbox::Fd& outputs);
  void start();

  const Program& program_;
  std::filesystem::path runner_;
  Device device_;
  std::unique_ptr<runner::DeviceHost> host_;  // of a virtual GPU
  std::unique_ptr<Running> running_;
  std::string console_;
  bool was_first_ = true;
};

}  // namespace cudalabs
