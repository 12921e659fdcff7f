// Copies between memory and arrays as the driver API describes them.
#pragma once

#include "vgpu/cudart/client/driver/driver_context.h"

namespace cudalabs::vgpu::client::driver {

enum MemoryType : unsigned int { kHost = 1, kDevice = 2, kArray = 3, kUnified = 4 };

/// One side of CUDA_MEMCPY3D: what of it counts says its type.
struct Copy3DSide {
  std::size_t x, y, z, level;
  MemoryType type;
  void* host;
  DevicePointer device;
  cudaArray_t array;
  Context* context;  // of CUDA_MEMCPY3D_PEER; else null
  std::size_t pitch, rows;
};
/// CUDA_MEMCPY3D of the toolkit, and CUDA_MEMCPY3D_PEER.
struct Copy3D {
  Copy3DSide from, to;
  std::size_t width, height, depth;  // in bytes, rows and slices
};
static_assert(sizeof(Copy3D) == 200);

inline void* pointer(DevicePointer address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
inline DevicePointer address(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

cudaMemcpyKind kind_of(MemoryType to, MemoryType from);

/// The same copy for the runtime, which counts texels where an array is one of the sides. `between_contexts`: as
/// CUDA_MEMCPY3D_PEER. kInvalidValue where it is no such copy.
Result of_runtime(const Copy3D& copy, bool between_contexts, cudaMemcpy3DParms* found);
/// And back.
Result of_driver(const cudaMemcpy3DParms& copy, Copy3D* found);

int copy_3d(const Copy3D* copy, bool between_contexts, cudaStream_t stream, bool asynchronous);

}  // namespace cudalabs::vgpu::client::driver
