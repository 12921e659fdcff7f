// Measures a submission's speed on this machine's GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "build/builder.h"
#include "lab/program_data.h"
#include "lab/speed_test.h"
#include "speed/gpu_facts.h"
#include "speed/speed_result.h"

namespace cudalabs::speed {

/// Where speeds are measured: a GPU, whose bandwidth is measured once.
class Benchmark {
 public:
  /// `gpu` and `nvcc` must outlive this; `say` hears what is being done.
  Benchmark(const GpuFacts* gpu, const Toolchain* nvcc, std::function<void(const std::string&)> say)
      : gpu_(gpu), nvcc_(nvcc), say_(std::move(say)) {}

  /// Measures one of a lab's speed tests between `runner`, built for the cuda device, and the pinned
  /// baseline, alone on the GPU (run/gpu_turn.h). The caller must not hold a turn. Throws GpuUnfit; std::runtime_error
  /// when the grader's own part fails.
  SpeedResult measure(const Program& program, const SpeedTest& test, const std::filesystem::path& runner);

 private:
  /// Seconds that a call needs at least: for its bytes, and for its operations. A copy that was the baseline need not
  /// be timed again.
  double floor_of(const SpeedTest& test, double baseline_seconds);

  const GpuFacts* gpu_;
  const Toolchain* nvcc_;
  std::function<void(const std::string&)> say_;
  std::optional<double> copy_bandwidth_;  // bytes a second, reading and writing counted
};

}  // namespace cudalabs::speed
