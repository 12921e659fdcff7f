// How long a thread may compute. What others do on the same processors meanwhile does not count: a busy machine must
// not stop a kernel that an idle one would finish.
#pragma once

#include <chrono>
#include <cstdint>
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
  /// The same, after so much work; after little work no clock is looked at. (In kernels with many barriers a warp's
  /// turn is a few instructions, and the look was up to 4 % of the time.)
  bool exceeded_after(std::int64_t instructions) {
    work_ += 1 + instructions;
    if (work_ < kWorkBetweenLooks) return false;
    if (exceeded()) return true;
    work_ = 0;
    return false;
  }

 private:
  static constexpr std::int64_t kWorkBetweenLooks = 4096;  // instructions of a warp

  bool ask();

  std::optional<Duration> limit_;
  Duration begin_{};
  std::chrono::steady_clock::time_point ask_again_;
  std::int64_t work_ = 0;  // since the last look
};

}  // namespace cudalabs::vgpu::exec
