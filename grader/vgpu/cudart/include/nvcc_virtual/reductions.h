// For nvcc and the virtual GPU: the reductions of a warp, which NVIDIA's headers offer for later architectures only.
// The virtual GPU executes the instruction.
#pragma once

// Without an architecture, where host code is compiled, NVIDIA's headers declare them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800

#define CUDALABS_REDUCE(name, type, T)                                                                           \
  static __device__ __forceinline__ T __reduce_##name##_sync(unsigned int mask, T value) {                       \
    T result;                                                                                                    \
    asm volatile("redux.sync." #name "." type " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask) : "memory"); \
    return result;                                                                                               \
  }
CUDALABS_REDUCE(add, "s32", int)
CUDALABS_REDUCE(add, "u32", unsigned int)
CUDALABS_REDUCE(min, "s32", int)
CUDALABS_REDUCE(min, "u32", unsigned int)
CUDALABS_REDUCE(max, "s32", int)
CUDALABS_REDUCE(max, "u32", unsigned int)
CUDALABS_REDUCE(and, "b32", unsigned int)
CUDALABS_REDUCE(or, "b32", unsigned int)
CUDALABS_REDUCE(xor, "b32", unsigned int)
#undef CUDALABS_REDUCE

#endif
