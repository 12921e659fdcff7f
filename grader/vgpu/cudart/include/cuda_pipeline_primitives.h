// The primitives of asynchronous copies from global to shared memory.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include "cudalabs_device/async_copy.h"

/// Copies `size` bytes, of which the last `zfill` become zeros instead. 4, 8 or 16 bytes, and as aligned as that.
static __device__ CUDALABS_INLINE void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                                               size_t size, size_t zfill = 0) {
  if (zfill > size) __builtin_trap();
  switch (size) {
    case 4:
      return cudalabs_device::copy_or_clear<cudalabs_device::copied_4>(to, from, zfill);
    case 8:
      return cudalabs_device::copy_or_clear<cudalabs_device::copied_8>(to, from, zfill);
    case 16:
      return cudalabs_device::copy_or_clear<cudalabs_device::copied_16>(to, from, zfill);
    default:
      __builtin_trap();
  }
}
static __device__ CUDALABS_INLINE void __pipeline_commit() {
  cudalabs_device::commit_copies();
}
/// Until at most `prior` of the newest groups are under way; at most 8 may be.
static __device__ CUDALABS_INLINE void __pipeline_wait_prior(size_t prior) {
  cudalabs_device::wait_for_copies(prior);
}

#endif
