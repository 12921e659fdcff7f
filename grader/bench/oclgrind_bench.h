// The same products under Oclgrind with its race and uninitialised-value checks, where it is installed.
#pragma once

#include <optional>

#include "bench/kernel_bench.h"

namespace cudalabs::bench {

/// Seconds of the kernel (whole process less that of a 16 x 16 launch); nothing when oclgrind-kernel is not installed.
std::optional<double> oclgrind_seconds(Product product, int n);

}  // namespace cudalabs::bench
