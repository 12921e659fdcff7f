// What a small launch costs on the virtual GPU, by the size of its module.
#pragma once

namespace cudalabs::bench {

struct LaunchTime {
  double plain_microseconds = 0;    // a launch, mean of 2,000, without checks and counters
  double checked_microseconds = 0;  // the same with every check
};

/// A generated module of `kernels` kernels, all alike, launched in turn with one block of 64 threads each.
LaunchTime time_small_launches(int kernels);

}  // namespace cudalabs::bench
