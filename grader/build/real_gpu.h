// The GPU of this machine, as far as a build must know it.
#pragma once

#include <string>

namespace cudalabs::builder {

/// Compute capability of the first GPU without the point, "90". Throws std::runtime_error when there is no GPU.
std::string real_gpu_architecture();

}  // namespace cudalabs::builder
