// cooperative_groups::reduce over a tile, with the usual operations.
#pragma once

#include "../cooperative_groups.h"

#if defined(__CUDA__)

namespace cooperative_groups {

// clang-format off
template <class T> struct plus { __device__ CUDALABS_INLINE T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ CUDALABS_INLINE T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ CUDALABS_INLINE T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ CUDALABS_INLINE T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ CUDALABS_INLINE T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ CUDALABS_INLINE T operator()(T a, T b) const { return a ^ b; } };
// clang-format on

/// Every thread of the tile gets the result.
template <unsigned int Size, class Parent, class T, class Operation>
static __device__ CUDALABS_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
#pragma unroll
  for (int distance = (int)Size / 2; distance > 0; distance /= 2)
    value = operation(value, tile.shfl_xor(value, distance));
  return value;
}

}  // namespace cooperative_groups

#endif
