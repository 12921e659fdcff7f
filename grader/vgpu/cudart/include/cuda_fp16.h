// Half precision: __half and __half2, their conversions, arithmetic and comparisons.
//
// Device code uses the half instructions of PTX. Host code computes in float and rounds once: float has more than twice
// the bits of half's significand and two more, so +, -, * and / come out as if rounded directly.
#pragma once

// NOLINTBEGIN: the names and forms are those of CUDA

#include "cuda_runtime.h"

#if defined(__cplusplus)

#if defined(__CUDA__)
#define CUDALABS_HALF static __host__ __device__ CUDALABS_INLINE
#define CUDALABS_HALF_MEMBER __host__ __device__ CUDALABS_INLINE
#else
#define CUDALABS_HALF static CUDALABS_INLINE
#define CUDALABS_HALF_MEMBER CUDALABS_INLINE
#endif

struct __half_raw {
  unsigned short x;
};

namespace cudalabs_half {

CUDALABS_HALF unsigned int bits_of(float value) {
  unsigned int bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
CUDALABS_HALF float float_of(unsigned int bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/// Round to nearest, ties to even. NaN becomes 0x7fff, as cvt.rn.f16.f32 makes it.
CUDALABS_HALF unsigned short from_float(float value) {
#if defined(__CUDA_ARCH__)
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
#else
  const unsigned int bits = bits_of(value);
  const unsigned int sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);  // 65536 and more
  unsigned int result, rest, half_way;
  if (magnitude >= 0x38800000u) {  // normal in half: 2^-14 and more
    result = (magnitude >> 13) - (112u << 10);
    rest = magnitude & 0x1fffu;
    half_way = 0x1000u;
  } else {
    const unsigned int shift = 126u - (magnitude >> 23);  // of the 24-bit significand into units of 2^-24
    if (shift > 24u) return (unsigned short)sign;
    const unsigned int significand = (magnitude & 0x7fffffu) | 0x800000u;
    result = significand >> shift;
    rest = significand & ((1u << shift) - 1);
    half_way = 1u << (shift - 1);
  }
  if (rest > half_way || (rest == half_way && (result & 1u))) ++result;  // a carry into the exponent is right
  return (unsigned short)(sign | result);
#endif
}

CUDALABS_HALF float to_float(unsigned short half) {
#if defined(__CUDA_ARCH__)
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
#else
  const unsigned int sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu;
  if (exponent == 0x1f) return float_of(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) return float_of(sign | bits_of((float)fraction * 5.9604644775390625e-8f));  // units of 2^-24
  return float_of(sign | (exponent + 112u) << 23 | fraction << 13);
#endif
}

}  // namespace cudalabs_half

struct __align__(2) __half {
  unsigned short __x;

  __half() = default;
  CUDALABS_HALF_MEMBER __half(__half_raw raw) : __x(raw.x) {}
  CUDALABS_HALF_MEMBER __half(float value) : __x(cudalabs_half::from_float(value)) {}
  CUDALABS_HALF_MEMBER __half(double value) : __x(cudalabs_half::from_float((float)value)) {}
  CUDALABS_HALF_MEMBER __half(int value) : __x(cudalabs_half::from_float((float)value)) {}
  CUDALABS_HALF_MEMBER __half(unsigned int value) : __x(cudalabs_half::from_float((float)value)) {}
  CUDALABS_HALF_MEMBER __half(long long value) : __x(cudalabs_half::from_float((float)value)) {}
  CUDALABS_HALF_MEMBER __half(unsigned long long value) : __x(cudalabs_half::from_float((float)value)) {}
  CUDALABS_HALF_MEMBER operator float() const {
    return cudalabs_half::to_float(__x);
  }
  CUDALABS_HALF_MEMBER operator __half_raw() const {
    return {__x};
  }
};
typedef __half half;

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  CUDALABS_HALF_MEMBER __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half2 half2;

// clang-format off
CUDALABS_HALF __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
CUDALABS_HALF __half __short_as_half(short bits) { return __half_raw{(unsigned short)bits}; }
CUDALABS_HALF unsigned short __half_as_ushort(__half a) { return a.__x; }
CUDALABS_HALF short __half_as_short(__half a) { return (short)a.__x; }
CUDALABS_HALF __half __float2half(float a) { return __half(a); }
CUDALABS_HALF __half __float2half_rn(float a) { return __half(a); }
CUDALABS_HALF __half __double2half(double a) { return __half(a); }
CUDALABS_HALF float __half2float(__half a) { return (float)a; }
CUDALABS_HALF __half __int2half_rn(int a) { return __half(a); }
CUDALABS_HALF __half __uint2half_rn(unsigned int a) { return __half(a); }
CUDALABS_HALF int __half2int_rz(__half a) { return (int)(float)a; }
CUDALABS_HALF int __half2int_rn(__half a) { return (int)__builtin_rintf((float)a); }
CUDALABS_HALF unsigned int __half2uint_rz(__half a) { return (unsigned int)(float)a; }
CUDALABS_HALF __half __hadd(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  __half_raw result; asm("add.f16 %0, %1, %2;" : "=h"(result.x) : "h"(a.__x), "h"(b.__x)); return result;
#else
  return __half((float)a + (float)b);
#endif
}
CUDALABS_HALF __half __hsub(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  __half_raw result; asm("sub.f16 %0, %1, %2;" : "=h"(result.x) : "h"(a.__x), "h"(b.__x)); return result;
#else
  return __half((float)a - (float)b);
#endif
}
CUDALABS_HALF __half __hmul(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  __half_raw result; asm("mul.f16 %0, %1, %2;" : "=h"(result.x) : "h"(a.__x), "h"(b.__x)); return result;
#else
  return __half((float)a * (float)b);
#endif
}
CUDALABS_HALF __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
CUDALABS_HALF __half __hfma(__half a, __half b, __half c) {
#if defined(__CUDA_ARCH__)
  __half_raw result; asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result.x) : "h"(a.__x), "h"(b.__x), "h"(c.__x)); return result;
#else
  // The product is exact in double and the sum is off by less than half a unit in double's last place.
  return __half((float)((double)(float)a * (double)(float)b + (double)(float)c));
#endif
}
CUDALABS_HALF __half __hneg(__half a) { return __half_raw{(unsigned short)(a.__x ^ 0x8000u)}; }
CUDALABS_HALF __half __habs(__half a) { return __half_raw{(unsigned short)(a.__x & 0x7fffu)}; }
CUDALABS_HALF bool __hisnan(__half a) { return (a.__x & 0x7fffu) > 0x7c00u; }
CUDALABS_HALF int __hisinf(__half a) { return a.__x == 0x7c00u ? 1 : a.__x == 0xfc00u ? -1 : 0; }
CUDALABS_HALF bool __heq(__half a, __half b) { return (float)a == (float)b; }
CUDALABS_HALF bool __hne(__half a, __half b) { return (float)a != (float)b; }
CUDALABS_HALF bool __hlt(__half a, __half b) { return (float)a < (float)b; }
CUDALABS_HALF bool __hle(__half a, __half b) { return (float)a <= (float)b; }
CUDALABS_HALF bool __hgt(__half a, __half b) { return (float)a > (float)b; }
CUDALABS_HALF bool __hge(__half a, __half b) { return (float)a >= (float)b; }
CUDALABS_HALF __half __hmin(__half a, __half b) { return __half(__builtin_fminf((float)a, (float)b)); }
CUDALABS_HALF __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf((float)a, (float)b)); }
CUDALABS_HALF __half operator+(__half a, __half b) { return __hadd(a, b); }
CUDALABS_HALF __half& operator+=(__half& a, __half b) { return a = __hadd(a, b); }
CUDALABS_HALF __half operator-(__half a, __half b) { return __hsub(a, b); }
CUDALABS_HALF __half& operator-=(__half& a, __half b) { return a = __hsub(a, b); }
CUDALABS_HALF __half operator*(__half a, __half b) { return __hmul(a, b); }
CUDALABS_HALF __half& operator*=(__half& a, __half b) { return a = __hmul(a, b); }
CUDALABS_HALF __half operator/(__half a, __half b) { return __hdiv(a, b); }
CUDALABS_HALF __half& operator/=(__half& a, __half b) { return a = __hdiv(a, b); }
CUDALABS_HALF __half operator-(__half a) { return __hneg(a); }
CUDALABS_HALF bool operator==(__half a, __half b) { return __heq(a, b); }
CUDALABS_HALF bool operator!=(__half a, __half b) { return __hne(a, b); }
CUDALABS_HALF bool operator<(__half a, __half b) { return __hlt(a, b); }
CUDALABS_HALF bool operator<=(__half a, __half b) { return __hle(a, b); }
CUDALABS_HALF bool operator>(__half a, __half b) { return __hgt(a, b); }
CUDALABS_HALF bool operator>=(__half a, __half b) { return __hge(a, b); }

CUDALABS_HALF __half2 __halves2half2(__half a, __half b) { return {a, b}; }
CUDALABS_HALF __half2 make_half2(__half a, __half b) { return {a, b}; }
CUDALABS_HALF __half2 __half2half2(__half a) { return {a, a}; }
CUDALABS_HALF __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
CUDALABS_HALF __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
CUDALABS_HALF __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
CUDALABS_HALF float2 __half22float2(__half2 a) { return make_float2((float)a.x, (float)a.y); }
CUDALABS_HALF float __low2float(__half2 a) { return (float)a.x; }
CUDALABS_HALF float __high2float(__half2 a) { return (float)a.y; }
CUDALABS_HALF __half __low2half(__half2 a) { return a.x; }
CUDALABS_HALF __half __high2half(__half2 a) { return a.y; }

namespace cudalabs_half {
CUDALABS_HALF unsigned int pack(__half2 a) { return a.x.__x | (unsigned int)a.y.__x << 16; }
CUDALABS_HALF __half2 unpack(unsigned int a) { return {__half_raw{(unsigned short)a}, __half_raw{(unsigned short)(a >> 16)}}; }
}  // namespace cudalabs_half
CUDALABS_HALF __half2 __hadd2(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned int result; asm("add.f16x2 %0, %1, %2;" : "=r"(result) : "r"(cudalabs_half::pack(a)), "r"(cudalabs_half::pack(b))); return cudalabs_half::unpack(result);
#else
  return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
#endif
}
CUDALABS_HALF __half2 __hsub2(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned int result; asm("sub.f16x2 %0, %1, %2;" : "=r"(result) : "r"(cudalabs_half::pack(a)), "r"(cudalabs_half::pack(b))); return cudalabs_half::unpack(result);
#else
  return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
#endif
}
CUDALABS_HALF __half2 __hmul2(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned int result; asm("mul.f16x2 %0, %1, %2;" : "=r"(result) : "r"(cudalabs_half::pack(a)), "r"(cudalabs_half::pack(b))); return cudalabs_half::unpack(result);
#else
  return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
#endif
}
CUDALABS_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
#if defined(__CUDA_ARCH__)
  unsigned int result; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(cudalabs_half::pack(a)), "r"(cudalabs_half::pack(b)), "r"(cudalabs_half::pack(c))); return cudalabs_half::unpack(result);
#else
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
#endif
}
CUDALABS_HALF __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
CUDALABS_HALF __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
CUDALABS_HALF __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
CUDALABS_HALF __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
CUDALABS_HALF __half2& operator+=(__half2& a, __half2 b) { return a = a + b; }
CUDALABS_HALF __half2& operator*=(__half2& a, __half2 b) { return a = a * b; }

#if defined(__CUDA__)
static __device__ CUDALABS_INLINE __half hsqrt(__half a) { return __half(::sqrtf((float)a)); }
static __device__ CUDALABS_INLINE __half hexp(__half a) { return __half(::expf((float)a)); }
static __device__ CUDALABS_INLINE __half hlog(__half a) { return __half(::logf((float)a)); }
static __device__ CUDALABS_INLINE __half hfloor(__half a) { return __half(::floorf((float)a)); }
static __device__ CUDALABS_INLINE __half hceil(__half a) { return __half(::ceilf((float)a)); }
static __device__ CUDALABS_INLINE __half htrunc(__half a) { return __half(::truncf((float)a)); }
static __device__ CUDALABS_INLINE __half hrint(__half a) { return __half(::rintf((float)a)); }
static __device__ CUDALABS_INLINE __half hsin(__half a) { return __half(::sinf((float)a)); }
static __device__ CUDALABS_INLINE __half hcos(__half a) { return __half(::cosf((float)a)); }
static __device__ CUDALABS_INLINE __half hrcp(__half a) { return __half(1.0f / (float)a); }
static __device__ CUDALABS_INLINE __half hrsqrt(__half a) { return __half(::rsqrtf((float)a)); }
static __device__ CUDALABS_INLINE __half __ldg(const __half* address) { return __half_raw{__ldg((const unsigned short*)address)}; }
static __device__ CUDALABS_INLINE __half2 __ldg(const __half2* address) { return cudalabs_half::unpack(__ldg((const unsigned int*)address)); }
static __device__ CUDALABS_INLINE __half __shfl_sync(unsigned int mask, __half value, int lane, int width = 32) { return __half_raw{(unsigned short)__shfl_sync(mask, (unsigned int)value.__x, lane, width)}; }
static __device__ CUDALABS_INLINE __half2 __shfl_sync(unsigned int mask, __half2 value, int lane, int width = 32) { return cudalabs_half::unpack(__shfl_sync(mask, cudalabs_half::pack(value), lane, width)); }
static __device__ CUDALABS_INLINE __half __shfl_up_sync(unsigned int mask, __half value, unsigned int lane, int width = 32) { return __half_raw{(unsigned short)__shfl_up_sync(mask, (unsigned int)value.__x, lane, width)}; }
static __device__ CUDALABS_INLINE __half2 __shfl_up_sync(unsigned int mask, __half2 value, unsigned int lane, int width = 32) { return cudalabs_half::unpack(__shfl_up_sync(mask, cudalabs_half::pack(value), lane, width)); }
static __device__ CUDALABS_INLINE __half __shfl_down_sync(unsigned int mask, __half value, unsigned int lane, int width = 32) { return __half_raw{(unsigned short)__shfl_down_sync(mask, (unsigned int)value.__x, lane, width)}; }
static __device__ CUDALABS_INLINE __half2 __shfl_down_sync(unsigned int mask, __half2 value, unsigned int lane, int width = 32) { return cudalabs_half::unpack(__shfl_down_sync(mask, cudalabs_half::pack(value), lane, width)); }
static __device__ CUDALABS_INLINE __half __shfl_xor_sync(unsigned int mask, __half value, int lane, int width = 32) { return __half_raw{(unsigned short)__shfl_xor_sync(mask, (unsigned int)value.__x, lane, width)}; }
static __device__ CUDALABS_INLINE __half2 __shfl_xor_sync(unsigned int mask, __half2 value, int lane, int width = 32) { return cudalabs_half::unpack(__shfl_xor_sync(mask, cudalabs_half::pack(value), lane, width)); }
#define CUDALABS_ATOMIC_HALF(name, scope) \
  static __device__ CUDALABS_INLINE __half name(__half* address, __half value) { __half_raw old; asm volatile("atom" scope ".add.noftz.f16 %0, [%1], %2;" : "=h"(old.x) : "l"(address), "h"(value.__x) : "memory"); return old; } \
  static __device__ CUDALABS_INLINE __half2 name(__half2* address, __half2 value) { unsigned int old; asm volatile("atom" scope ".add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(cudalabs_half::pack(value)) : "memory"); return cudalabs_half::unpack(old); }
CUDALABS_ATOMIC_HALF(atomicAdd, "")
CUDALABS_ATOMIC_HALF(atomicAdd_block, ".cta")
CUDALABS_ATOMIC_HALF(atomicAdd_system, ".sys")
#undef CUDALABS_ATOMIC_HALF
#endif
// clang-format on

#undef CUDALABS_HALF
#undef CUDALABS_HALF_MEMBER

#endif

// NOLINTEND
