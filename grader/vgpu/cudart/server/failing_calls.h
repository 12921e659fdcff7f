// Which call of the client is made to fail, whatever the device could do, so that its error handling is seen at work.
#pragma once

#include <cstdint>

#include "vgpu/cudart/include/driver_types.h"
#include "vgpu/cudart/session_faults.h"

namespace cudalabs::vgpu {

class FailingCalls {
 public:
  explicit FailingCalls(const SessionFaults& faults) : faults_(faults) {}

  /// The harness hands everything out, perhaps once more: its first function begins.
  void hand_out() {
    ++handed_out_;
    function_ = 1;
  }

  /// The harness goes on to its next function.
  void next_function() { ++function_; }

  /// Counts an allocation. Is it to fail?
  bool fails_allocation() { return counts() && ++allocations_ == faults_.allocation; }

  /// Counts a copy between host and device memory. Is it to fail?
  bool fails_copy() { return counts() && ++copies_ == faults_.copy; }

  /// Counts a launch. Is it to fail?
  bool fails_launch() { return counts() && ++launches_ == faults_.launch; }

  /// Is the kernel of the launch that was counted last to fail?
  bool fails_kernel() const { return launches_ != 0 && launches_ == faults_.kernel; }
  cudaError_t kernel_error() const {
    return faults_.illegal_address != 0 ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
  }

 private:
  /// What the program does before it is called counts where no earlier call is to be left out.
  bool counts() const {
    const bool early = faults_.earlier != 0 && handed_out_ <= faults_.earlier;
    const bool late = faults_.last != 0 && handed_out_ > faults_.last;
    return !early && !late && function_ >= faults_.function;
  }

  SessionFaults faults_;
  std::uint64_t handed_out_ = 0;
  std::uint64_t function_ = 1;
  std::uint64_t allocations_ = 0, copies_ = 0, launches_ = 0;  // of those that count
};

}  // namespace cudalabs::vgpu
