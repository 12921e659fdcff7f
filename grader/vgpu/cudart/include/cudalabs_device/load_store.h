// __ldg: loads through the read-only data cache, and funnel shifts, over clang's builtins.
#pragma once

// clang-format off
static __device__ CUDALABS_INLINE char __ldg(const char* address) { return __nvvm_ldg_c(address); }
static __device__ CUDALABS_INLINE short __ldg(const short* address) { return __nvvm_ldg_s(address); }
static __device__ CUDALABS_INLINE int __ldg(const int* address) { return __nvvm_ldg_i(address); }
static __device__ CUDALABS_INLINE long __ldg(const long* address) { return __nvvm_ldg_l(address); }
static __device__ CUDALABS_INLINE long long __ldg(const long long* address) { return __nvvm_ldg_ll(address); }
static __device__ CUDALABS_INLINE unsigned char __ldg(const unsigned char* address) { return __nvvm_ldg_uc(address); }
static __device__ CUDALABS_INLINE unsigned short __ldg(const unsigned short* address) { return __nvvm_ldg_us(address); }
static __device__ CUDALABS_INLINE unsigned int __ldg(const unsigned int* address) { return __nvvm_ldg_ui(address); }
static __device__ CUDALABS_INLINE unsigned long __ldg(const unsigned long* address) { return __nvvm_ldg_ul(address); }
static __device__ CUDALABS_INLINE unsigned long long __ldg(const unsigned long long* address) { return __nvvm_ldg_ull(address); }
static __device__ CUDALABS_INLINE float __ldg(const float* address) { return __nvvm_ldg_f(address); }
static __device__ CUDALABS_INLINE double __ldg(const double* address) { return __nvvm_ldg_d(address); }
static __device__ CUDALABS_INLINE signed char __ldg(const signed char* address) { return (signed char)__nvvm_ldg_uc((const unsigned char*)address); }
static __device__ CUDALABS_INLINE char2 __ldg(const char2* address) { typedef char V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_c2((const V*)address); return make_char2((char)v[0], (char)v[1]); }
static __device__ CUDALABS_INLINE char4 __ldg(const char4* address) { typedef char V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_c4((const V*)address); return make_char4((char)v[0], (char)v[1], (char)v[2], (char)v[3]); }
static __device__ CUDALABS_INLINE uchar2 __ldg(const uchar2* address) { typedef unsigned char V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_uc2((const V*)address); return make_uchar2(v[0], v[1]); }
static __device__ CUDALABS_INLINE uchar4 __ldg(const uchar4* address) { typedef unsigned char V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_uc4((const V*)address); return make_uchar4(v[0], v[1], v[2], v[3]); }
static __device__ CUDALABS_INLINE short2 __ldg(const short2* address) { typedef short V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_s2((const V*)address); return make_short2(v[0], v[1]); }
static __device__ CUDALABS_INLINE short4 __ldg(const short4* address) { typedef short V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_s4((const V*)address); return make_short4(v[0], v[1], v[2], v[3]); }
static __device__ CUDALABS_INLINE ushort2 __ldg(const ushort2* address) { typedef unsigned short V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_us2((const V*)address); return make_ushort2(v[0], v[1]); }
static __device__ CUDALABS_INLINE ushort4 __ldg(const ushort4* address) { typedef unsigned short V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_us4((const V*)address); return make_ushort4(v[0], v[1], v[2], v[3]); }
static __device__ CUDALABS_INLINE int2 __ldg(const int2* address) { typedef int V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_i2((const V*)address); return make_int2(v[0], v[1]); }
static __device__ CUDALABS_INLINE int4 __ldg(const int4* address) { typedef int V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_i4((const V*)address); return make_int4(v[0], v[1], v[2], v[3]); }
static __device__ CUDALABS_INLINE uint2 __ldg(const uint2* address) { typedef unsigned int V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_ui2((const V*)address); return make_uint2(v[0], v[1]); }
static __device__ CUDALABS_INLINE uint4 __ldg(const uint4* address) { typedef unsigned int V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_ui4((const V*)address); return make_uint4(v[0], v[1], v[2], v[3]); }
static __device__ CUDALABS_INLINE longlong2 __ldg(const longlong2* address) { typedef long long V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_ll2((const V*)address); return make_longlong2(v[0], v[1]); }
static __device__ CUDALABS_INLINE ulonglong2 __ldg(const ulonglong2* address) { typedef unsigned long long V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_ull2((const V*)address); return make_ulonglong2(v[0], v[1]); }
static __device__ CUDALABS_INLINE float2 __ldg(const float2* address) { typedef float V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_f2((const V*)address); return make_float2(v[0], v[1]); }
static __device__ CUDALABS_INLINE float4 __ldg(const float4* address) { typedef float V __attribute__((ext_vector_type(4))); const V v = __nvvm_ldg_f4((const V*)address); return make_float4(v[0], v[1], v[2], v[3]); }
static __device__ CUDALABS_INLINE double2 __ldg(const double2* address) { typedef double V __attribute__((ext_vector_type(2))); const V v = __nvvm_ldg_d2((const V*)address); return make_double2(v[0], v[1]); }
static __device__ CUDALABS_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) { unsigned int result; asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); return result; }
static __device__ CUDALABS_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) { unsigned int result; asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); return result; }
static __device__ CUDALABS_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) { unsigned int result; asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); return result; }
static __device__ CUDALABS_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) { unsigned int result; asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); return result; }
// clang-format on
