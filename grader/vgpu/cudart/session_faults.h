// Which calls of a program the virtual GPU makes fail.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

/// Calls of a kind count from 1; 0: none fails.
struct SessionFaults {
  std::uint64_t allocation = 0;  // fails with cudaErrorMemoryAllocation
  std::uint64_t copy = 0;        // between host and device memory; fails with cudaErrorMemoryAllocation, copies nothing
  std::uint64_t launch = 0;      // fails with cudaErrorLaunchOutOfResources
  std::uint64_t kernel = 0;      // of this launch, fails in the end: cudaErrorLaunchFailure from then on
  std::uint64_t illegal_address = 0;  // 1: it is cudaErrorIllegalAddress
  std::uint64_t function = 1;         // calls count from where the harness's N-th function begins
  std::uint64_t earlier = 0;          // times that the harness hands everything out before the one that counts
  std::uint64_t last = 0;             // the number of the last such time that counts; 0: all do
};

}  // namespace cudalabs::vgpu
