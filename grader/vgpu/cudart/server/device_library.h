// What of the CUDA runtime in device code is PTX here: cudaGetErrorString, cudaGetErrorName, cudaGraphSetConditional.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace cudalabs::vgpu {

/// The PTX of a library to be linked with `texts`, in which these functions are; nothing where none of the texts names
/// one of them.
std::optional<std::string> device_library(std::span<const std::string> texts);

}  // namespace cudalabs::vgpu
