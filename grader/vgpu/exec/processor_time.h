// How long a thread may compute. What others do on the same processors meanwhile does not count: a busy machine must
// not stop a kernel that an idle one would finish.
#pragma once

#include <chrono>
#include <optional>

namespace cudalabs::vgpu::exec {

/// Processor time of the calling thread, from construction on. To be asked by the same thread.
class ProcessorTimeLimit {
 public:
  using Duration = std::chrono::nanoseconds;

  explicit ProcessorTimeLimit(std::optional<Duration> limit);

  /// Cheap: a thread computes no longer than the wall clock runs, so that the thread's own clock, which costs a system
  /// call, is asked only when that says too little.
  bool exceeded() { return limit_ && std::chrono::steady_clock::now() >= ask_again_ && ask(); }

 private:
  bool ask();

  std::optional<Duration> limit_;
  Duration begin_{};
  std::chrono::steady_clock::time_point ask_again_;
};

}  // namespace cudalabs::vgpu::exec
