// Which call of the client is made to fail, whatever the device could do, so that its error handling is seen at work.
#pragma once

#include <cstdint>

#include "vgpu/cudart/session_faults.h"

namespace cudalabs::vgpu {

class FailingCalls {
 public:
  explicit FailingCalls(const SessionFaults& faults) : faults_(faults) {}

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

 private:
  bool counts() const { return function_ >= faults_.function; }

  SessionFaults faults_;
  std::uint64_t function_ = 1;
  std::uint64_t allocations_ = 0, copies_ = 0, launches_ = 0;  // from the beginning of `faults_.function` on
};

}  // namespace cudalabs::vgpu
