// CUDA's function and variable qualifiers for clang; plain C++ compilers see none of them.
#pragma once

// NOLINTBEGIN: the names and forms are those of CUDA

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ managed_variables_are_not_supported_with_clang_use_cudaMallocManaged
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// clang reads no `alignas` after __shared__, where nvcc does; but the attribute that means the same.
#if defined(__cplusplus)
template <class T>
constexpr decltype(sizeof(0)) cudalabs_alignment() {
  return alignof(T);
}
template <decltype(sizeof(0)) Bytes>
constexpr decltype(sizeof(0)) cudalabs_alignment() {
  return Bytes;
}
#define alignas(...) __attribute__((aligned(cudalabs_alignment<__VA_ARGS__>())))
#endif
// Newer clangs know the word. As a macro for the attribute it would break the standard library's own
// __attribute__((__noinline__)); as nothing it leaves that an empty list, and the hint is lost.
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__
#endif
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __launch_bounds__(...)
#endif

// What these headers define inline has no debug information of its own: its instructions, and so every finding and
// every count, belong to the line of the program that calls it.
#if defined(__clang__)
#define CUDALABS_INLINE __inline__ __attribute__((always_inline, nodebug))
#else
#define CUDALABS_INLINE __inline__ __attribute__((always_inline, artificial))
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

// NOLINTEND
