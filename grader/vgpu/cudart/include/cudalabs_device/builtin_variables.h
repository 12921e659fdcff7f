// threadIdx, blockIdx, blockDim, gridDim, warpSize: clang's definitions, and their conversions to uint3 and dim3.
#pragma once

// Reading threadIdx.x is an instruction of the line that does it, not of clang's header.
#pragma push_macro("inline")
#define inline __inline__ __attribute__((nodebug))
#include <__clang_cuda_builtin_vars.h>
#pragma pop_macro("inline")

#include "../vector_types.h"

// clang-format off
__device__ CUDALABS_INLINE __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ CUDALABS_INLINE __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ CUDALABS_INLINE __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ CUDALABS_INLINE __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ CUDALABS_INLINE __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ CUDALABS_INLINE __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ CUDALABS_INLINE __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }
__device__ CUDALABS_INLINE __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
// clang-format on
