// The GPU of this machine, as far as a build must know it.
#pragma once

#include <string>

namespace cudalabs::builder {

/// True when the driver knows a GPU here. Asked once.
bool has_real_gpu();

/// Compute capability of the first GPU without the point, "90". These throw std::runtime_error when there is no GPU.
std::string real_gpu_architecture();
/// "NVIDIA H200"
std::string real_gpu_name();
/// Version of the driver.
std::string real_gpu_driver();

}  // namespace cudalabs::builder
