// Barriers of the block and memory fences, over clang's.
//
// math.h has given clang's functions other names, so these can have the real ones. __syncthreads is built into clang
// and cannot be defined: a macro puts another function in its place. Without parentheses it then is what it is for
// nvcc, an expression that does nothing. The build defines the macro on the command line, so that clang warns of that.
#pragma once

#include "ordered.h"

// clang-format off
#pragma push_macro("__syncthreads")
#undef __syncthreads
static __device__ CUDALABS_INLINE void cudalabs_syncthreads() { CUDALABS_ORDERED_VOID(__syncthreads()); }
#pragma pop_macro("__syncthreads")
#if !defined(__syncthreads)
#define __syncthreads cudalabs_syncthreads
#endif
static __device__ CUDALABS_INLINE int __syncthreads_count(int predicate) { CUDALABS_ORDERED(__nvvm_bar0_popc(predicate)); }
static __device__ CUDALABS_INLINE int __syncthreads_and(int predicate) { CUDALABS_ORDERED(__nvvm_bar0_and(predicate)); }
static __device__ CUDALABS_INLINE int __syncthreads_or(int predicate) { CUDALABS_ORDERED(__nvvm_bar0_or(predicate)); }
static __device__ CUDALABS_INLINE void __threadfence() { CUDALABS_ORDERED_VOID(__nvvm_membar_gl()); }
static __device__ CUDALABS_INLINE void __threadfence_block() { CUDALABS_ORDERED_VOID(__nvvm_membar_cta()); }
static __device__ CUDALABS_INLINE void __threadfence_system() { CUDALABS_ORDERED_VOID(__nvvm_membar_sys()); }
// clang-format on
