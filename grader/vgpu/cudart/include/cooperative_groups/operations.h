// The operations of cooperative_groups::reduce and the scans.
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

}  // namespace cooperative_groups

#endif
