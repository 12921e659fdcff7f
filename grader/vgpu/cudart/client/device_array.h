// Arrays of the CUDA runtime: device memory with a shape. Rows and slices lie one after another, without gaps.
#pragma once

#include "vgpu/cudart/client/copy.h"

/// What a `cudaArray_t` points to; programs know no more of it than that.
struct cudaArray {
  std::uint64_t address;
  cudaChannelFormatDesc format;
  cudaExtent extent;  // as asked for: 0 in dimensions that it has not. Layers are its depth
  unsigned int flags;
  unsigned int texel_bytes;

  bool layered() const { return (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0; }
  std::uint64_t pitch() const { return extent.width * texel_bytes; }
  std::uint64_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::uint64_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

namespace cudalabs::vgpu::client {

/// Channels of equal size: 1, 2 or 4 of 8, 16 or 32 bits.
struct Channels {
  std::uint32_t count = 0, bytes = 0;
};
/// No channels where the format is none that a texel can have.
Channels channels_of(const cudaChannelFormatDesc& format);
/// The array, if it is one that is not freed; else null.
const cudaArray* live_array(Client& self, const cudaArray* array);
/// The same copy with pitched memory, in bytes, instead of arrays.
cudaError_t without_arrays(Client& self, const cudaMemcpy3DParms& from, cudaMemcpy3DParms& to);

}  // namespace cudalabs::vgpu::client
