// Device code for the fake virtual GPU, plain and packed as compilers pack it.
#pragma once

#include <string>

namespace cudalabs::vgpu::fuzz {

/// Kernels 0 plain, 1 add (12 bytes of parameters), 2 fails, 3 hangs, 4 prints, 5 bounded; and a variable.
std::string plain_module();
/// A fat binary with an image for each of two architectures.
std::string container();
/// plain_module() in fat binaries, compressed in the two ways there are.
std::string lz4_container();
std::string zstd_container();

}  // namespace cudalabs::vgpu::fuzz
