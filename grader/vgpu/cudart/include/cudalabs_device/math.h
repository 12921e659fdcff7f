// Math functions in the global namespace and in std: clang's overloads over libdevice names, and min and max for host
// and device.
//
// The virtual GPU implements the libdevice names (__nv_sinf, ...) itself, so no bitcode library is needed.
#pragma once

// The order matters.
// clang-format off
#include <limits.h>
#include <cmath>
// For toolkits as old as that, clang's headers take SIMD functions from libdevice, and not from instructions that GPUs
// have not had for long.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>
#include "libdevice_inline.h"
#include "simd.h"
// As CUDALABS_INLINE does for the functions of these headers: clang's own would count as lines of their own.
#pragma push_macro("__inline__")
#define __inline__ inline __attribute__((nodebug))
// barrier.h has its own.
#define __syncthreads_count cudalabs_clang__syncthreads_count
#define __syncthreads_and cudalabs_clang__syncthreads_and
#define __syncthreads_or cudalabs_clang__syncthreads_or
#define __threadfence cudalabs_clang__threadfence
#define __threadfence_block cudalabs_clang__threadfence_block
#define __threadfence_system cudalabs_clang__threadfence_system
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#undef __syncthreads_count
#undef __syncthreads_and
#undef __syncthreads_or
#undef __threadfence
#undef __threadfence_block
#undef __threadfence_system
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#pragma pop_macro("__inline__")
// clang-format on

// The mixed forms convert as the programming guide's header does: signed with unsigned compares as unsigned.
// clang-format off
static __host__ CUDALABS_INLINE int min(int a, int b) { return a < b ? a : b; }  // clang has the device form
static __host__ __device__ CUDALABS_INLINE unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned int min(int a, unsigned int b) { return (unsigned int)a < b ? (unsigned int)a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned int min(unsigned int a, int b) { return a < (unsigned int)b ? a : (unsigned int)b; }
static __host__ __device__ CUDALABS_INLINE long min(long a, long b) { return a < b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long min(long a, unsigned long b) { return (unsigned long)a < b ? (unsigned long)a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long min(unsigned long a, long b) { return a < (unsigned long)b ? a : (unsigned long)b; }
static __host__ __device__ CUDALABS_INLINE long long min(long long a, long long b) { return a < b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long long min(long long a, unsigned long long b) { return (unsigned long long)a < b ? (unsigned long long)a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long long min(unsigned long long a, long long b) { return a < (unsigned long long)b ? a : (unsigned long long)b; }
static __device__ CUDALABS_INLINE float min(float a, float b) { return fminf(a, b); }
static __host__ CUDALABS_INLINE float min(float a, float b) { return __builtin_fminf(a, b); }
static __device__ CUDALABS_INLINE double min(double a, double b) { return fmin((double)a, (double)b); }
static __host__ CUDALABS_INLINE double min(double a, double b) { return __builtin_fmin(a, b); }
static __device__ CUDALABS_INLINE double min(float a, double b) { return fmin((double)a, (double)b); }
static __host__ CUDALABS_INLINE double min(float a, double b) { return __builtin_fmin(a, b); }
static __device__ CUDALABS_INLINE double min(double a, float b) { return fmin((double)a, (double)b); }
static __host__ CUDALABS_INLINE double min(double a, float b) { return __builtin_fmin(a, b); }
static __host__ CUDALABS_INLINE int max(int a, int b) { return a > b ? a : b; }  // clang has the device form
static __host__ __device__ CUDALABS_INLINE unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned int max(int a, unsigned int b) { return (unsigned int)a > b ? (unsigned int)a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned int max(unsigned int a, int b) { return a > (unsigned int)b ? a : (unsigned int)b; }
static __host__ __device__ CUDALABS_INLINE long max(long a, long b) { return a > b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long max(long a, unsigned long b) { return (unsigned long)a > b ? (unsigned long)a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long max(unsigned long a, long b) { return a > (unsigned long)b ? a : (unsigned long)b; }
static __host__ __device__ CUDALABS_INLINE long long max(long long a, long long b) { return a > b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long long max(long long a, unsigned long long b) { return (unsigned long long)a > b ? (unsigned long long)a : b; }
static __host__ __device__ CUDALABS_INLINE unsigned long long max(unsigned long long a, long long b) { return a > (unsigned long long)b ? a : (unsigned long long)b; }
static __device__ CUDALABS_INLINE float max(float a, float b) { return fmaxf(a, b); }
static __host__ CUDALABS_INLINE float max(float a, float b) { return __builtin_fmaxf(a, b); }
static __device__ CUDALABS_INLINE double max(double a, double b) { return fmax((double)a, (double)b); }
static __host__ CUDALABS_INLINE double max(double a, double b) { return __builtin_fmax(a, b); }
static __device__ CUDALABS_INLINE double max(float a, double b) { return fmax((double)a, (double)b); }
static __host__ CUDALABS_INLINE double max(float a, double b) { return __builtin_fmax(a, b); }
static __device__ CUDALABS_INLINE double max(double a, float b) { return fmax((double)a, (double)b); }
static __host__ CUDALABS_INLINE double max(double a, float b) { return __builtin_fmax(a, b); }

// Functions of CUDA that the C library does not have, for host code.
static __host__ CUDALABS_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static __host__ CUDALABS_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static __host__ __device__ CUDALABS_INLINE float rsqrt(float x) { return rsqrtf(x); }
// clang-format on
