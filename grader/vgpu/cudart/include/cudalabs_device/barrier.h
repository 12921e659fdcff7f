// Barriers of the block and memory fences, over clang's.
//
// clang's have the names of CUDA already, and its own cannot be defined again: so these have names of their own, which
// macros put in the place of clang's. A name without parentheses is then what it is for nvcc: an expression that does
// nothing, which the compiler warns of.
#pragma once

#include <__clang_cuda_device_functions.h>

#include "ordered.h"

// clang-format off
static __device__ CUDALABS_INLINE void cudalabs_syncthreads() { CUDALABS_ORDERED_VOID(__syncthreads()); }
static __device__ CUDALABS_INLINE int cudalabs_syncthreads_count(int predicate) { CUDALABS_ORDERED(__nvvm_bar0_popc(predicate)); }
static __device__ CUDALABS_INLINE int cudalabs_syncthreads_and(int predicate) { CUDALABS_ORDERED(__nvvm_bar0_and(predicate)); }
static __device__ CUDALABS_INLINE int cudalabs_syncthreads_or(int predicate) { CUDALABS_ORDERED(__nvvm_bar0_or(predicate)); }
static __device__ CUDALABS_INLINE void cudalabs_threadfence() { CUDALABS_ORDERED_VOID(__nvvm_membar_gl()); }
static __device__ CUDALABS_INLINE void cudalabs_threadfence_block() { CUDALABS_ORDERED_VOID(__nvvm_membar_cta()); }
static __device__ CUDALABS_INLINE void cudalabs_threadfence_system() { CUDALABS_ORDERED_VOID(__nvvm_membar_sys()); }
// clang-format on

#define __syncthreads cudalabs_syncthreads
#define __syncthreads_count cudalabs_syncthreads_count
#define __syncthreads_and cudalabs_syncthreads_and
#define __syncthreads_or cudalabs_syncthreads_or
#define __threadfence cudalabs_threadfence
#define __threadfence_block cudalabs_threadfence_block
#define __threadfence_system cudalabs_threadfence_system
