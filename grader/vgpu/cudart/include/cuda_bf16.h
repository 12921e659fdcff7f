// bfloat16: __nv_bfloat16 and __nv_bfloat162, their conversions, arithmetic and comparisons.
//
// A bfloat16 is the upper half of a float. The architecture has no arithmetic for it: as NVIDIA's header does there,
// all is computed in float and rounded once. Only a fused multiply-add would be rounded twice that way, and is
// computed in double.
#pragma once

// NOLINTBEGIN: the names and forms are those of CUDA

#include "cuda_runtime.h"

#if defined(__cplusplus)

#if defined(__CUDA__)
#define CUDALABS_BFLOAT static __host__ __device__ CUDALABS_INLINE
#define CUDALABS_BFLOAT_MEMBER __host__ __device__ CUDALABS_INLINE
#else
#define CUDALABS_BFLOAT static CUDALABS_INLINE
#define CUDALABS_BFLOAT_MEMBER CUDALABS_INLINE
#endif

struct __nv_bfloat16_raw {
  unsigned short x;
};

namespace cudalabs_bfloat {

/// Round to nearest, ties to even. NaN becomes 0x7fff, as NVIDIA's header makes it.
CUDALABS_BFLOAT unsigned short from_float(float value) {
  unsigned int bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
/// Round towards zero.
CUDALABS_BFLOAT unsigned short from_float_cut(float value) {
  unsigned int bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (unsigned short)(bits >> 16);
}
/// By way of float, to odd, so that rounding twice is like rounding once.
CUDALABS_BFLOAT unsigned short from_double(double value) {
  const float near = (float)value;
  unsigned int bits;
  __builtin_memcpy(&bits, &near, sizeof bits);
  const bool exact = (double)near == value || near != near;
  if (!exact && (bits & 1u) == 0) {
    // The neighbour on the value's side has an odd last bit.
    const bool grows = (near < 0 ? -(double)near : (double)near) < (value < 0 ? -value : value);
    bits += grows ? 1u : ~0u;
  }
  float odd;
  __builtin_memcpy(&odd, &bits, sizeof odd);
  return from_float(odd);
}
CUDALABS_BFLOAT float to_float(unsigned short bfloat) {
  const unsigned int bits = (unsigned int)bfloat << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace cudalabs_bfloat

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  CUDALABS_BFLOAT_MEMBER __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  CUDALABS_BFLOAT_MEMBER __nv_bfloat16(float value) : __x(cudalabs_bfloat::from_float(value)) {}
  CUDALABS_BFLOAT_MEMBER __nv_bfloat16(double value) : __x(cudalabs_bfloat::from_double(value)) {}
  CUDALABS_BFLOAT_MEMBER __nv_bfloat16(int value) : __x(cudalabs_bfloat::from_double((double)value)) {}
  CUDALABS_BFLOAT_MEMBER __nv_bfloat16(unsigned int value) : __x(cudalabs_bfloat::from_double((double)value)) {}
  CUDALABS_BFLOAT_MEMBER operator float() const {
    return cudalabs_bfloat::to_float(__x);
  }
  CUDALABS_BFLOAT_MEMBER operator __nv_bfloat16_raw() const {
    return {__x};
  }
};
typedef __nv_bfloat16 nv_bfloat16;

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  CUDALABS_BFLOAT_MEMBER __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
};
typedef __nv_bfloat162 nv_bfloat162;

// clang-format off
CUDALABS_BFLOAT __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
CUDALABS_BFLOAT __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16_raw{(unsigned short)bits}; }
CUDALABS_BFLOAT unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
CUDALABS_BFLOAT short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
CUDALABS_BFLOAT __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
CUDALABS_BFLOAT __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
CUDALABS_BFLOAT __nv_bfloat16 __float2bfloat16_rz(float a) { return __nv_bfloat16_raw{cudalabs_bfloat::from_float_cut(a)}; }
CUDALABS_BFLOAT __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
CUDALABS_BFLOAT float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
CUDALABS_BFLOAT __nv_bfloat16 __int2bfloat16_rn(int a) { return __nv_bfloat16(a); }
CUDALABS_BFLOAT __nv_bfloat16 __uint2bfloat16_rn(unsigned int a) { return __nv_bfloat16(a); }
CUDALABS_BFLOAT int __bfloat162int_rz(__nv_bfloat16 a) { return (int)(float)a; }
CUDALABS_BFLOAT int __bfloat162int_rn(__nv_bfloat16 a) { return (int)__builtin_rintf((float)a); }
CUDALABS_BFLOAT unsigned int __bfloat162uint_rz(__nv_bfloat16 a) { return (unsigned int)(float)a; }
CUDALABS_BFLOAT __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a + (float)b); }
CUDALABS_BFLOAT __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a - (float)b); }
CUDALABS_BFLOAT __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a * (float)b); }
CUDALABS_BFLOAT __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
CUDALABS_BFLOAT __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __nv_bfloat16((double)(float)a * (double)(float)b + (double)(float)c); }
CUDALABS_BFLOAT __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __nv_bfloat16_raw{(unsigned short)(a.__x ^ 0x8000u)}; }
CUDALABS_BFLOAT __nv_bfloat16 __habs(__nv_bfloat16 a) { return __nv_bfloat16_raw{(unsigned short)(a.__x & 0x7fffu)}; }
CUDALABS_BFLOAT bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fffu) > 0x7f80u; }
CUDALABS_BFLOAT int __hisinf(__nv_bfloat16 a) { return a.__x == 0x7f80u ? 1 : a.__x == 0xff80u ? -1 : 0; }
CUDALABS_BFLOAT bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
CUDALABS_BFLOAT bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a != (float)b; }
CUDALABS_BFLOAT bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b; }
CUDALABS_BFLOAT bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a <= (float)b; }
CUDALABS_BFLOAT bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a > (float)b; }
CUDALABS_BFLOAT bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a >= (float)b; }
CUDALABS_BFLOAT __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__builtin_fminf((float)a, (float)b)); }
CUDALABS_BFLOAT __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__builtin_fmaxf((float)a, (float)b)); }
CUDALABS_BFLOAT __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) { return __hadd(a, b); }
CUDALABS_BFLOAT __nv_bfloat16& operator+=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = __hadd(a, b); }
CUDALABS_BFLOAT __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) { return __hsub(a, b); }
CUDALABS_BFLOAT __nv_bfloat16& operator-=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = __hsub(a, b); }
CUDALABS_BFLOAT __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmul(a, b); }
CUDALABS_BFLOAT __nv_bfloat16& operator*=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = __hmul(a, b); }
CUDALABS_BFLOAT __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) { return __hdiv(a, b); }
CUDALABS_BFLOAT __nv_bfloat16& operator/=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = __hdiv(a, b); }
CUDALABS_BFLOAT __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
CUDALABS_BFLOAT bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return __heq(a, b); }
CUDALABS_BFLOAT bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return __hne(a, b); }
CUDALABS_BFLOAT bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return __hlt(a, b); }
CUDALABS_BFLOAT bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return __hle(a, b); }
CUDALABS_BFLOAT bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return __hgt(a, b); }
CUDALABS_BFLOAT bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return __hge(a, b); }

CUDALABS_BFLOAT __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
CUDALABS_BFLOAT __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
CUDALABS_BFLOAT __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
CUDALABS_BFLOAT __nv_bfloat162 __float2bfloat162_rn(float a) { return {__nv_bfloat16(a), __nv_bfloat16(a)}; }
CUDALABS_BFLOAT __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
CUDALABS_BFLOAT __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)}; }
CUDALABS_BFLOAT float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2((float)a.x, (float)a.y); }
CUDALABS_BFLOAT float __low2float(__nv_bfloat162 a) { return (float)a.x; }
CUDALABS_BFLOAT float __high2float(__nv_bfloat162 a) { return (float)a.y; }
CUDALABS_BFLOAT __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
CUDALABS_BFLOAT __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
CUDALABS_BFLOAT __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hadd(a.x, b.x), __hadd(a.y, b.y)}; }
CUDALABS_BFLOAT __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hsub(a.x, b.x), __hsub(a.y, b.y)}; }
CUDALABS_BFLOAT __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hmul(a.x, b.x), __hmul(a.y, b.y)}; }
CUDALABS_BFLOAT __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
CUDALABS_BFLOAT __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
CUDALABS_BFLOAT __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return __hadd2(a, b); }
CUDALABS_BFLOAT __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) { return __hsub2(a, b); }
CUDALABS_BFLOAT __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmul2(a, b); }
CUDALABS_BFLOAT __nv_bfloat162& operator+=(__nv_bfloat162& a, __nv_bfloat162 b) { return a = a + b; }
CUDALABS_BFLOAT __nv_bfloat162& operator*=(__nv_bfloat162& a, __nv_bfloat162 b) { return a = a * b; }

#if defined(__CUDA__)
static __device__ CUDALABS_INLINE __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(::sqrtf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(::expf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hlog(__nv_bfloat16 a) { return __nv_bfloat16(::logf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hfloor(__nv_bfloat16 a) { return __nv_bfloat16(::floorf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hceil(__nv_bfloat16 a) { return __nv_bfloat16(::ceilf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 htrunc(__nv_bfloat16 a) { return __nv_bfloat16(::truncf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hrint(__nv_bfloat16 a) { return __nv_bfloat16(::rintf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hsin(__nv_bfloat16 a) { return __nv_bfloat16(::sinf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hcos(__nv_bfloat16 a) { return __nv_bfloat16(::cosf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hrcp(__nv_bfloat16 a) { return __nv_bfloat16(1.0f / (float)a); }
static __device__ CUDALABS_INLINE __nv_bfloat16 hrsqrt(__nv_bfloat16 a) { return __nv_bfloat16(::rsqrtf((float)a)); }
static __device__ CUDALABS_INLINE __nv_bfloat16 __ldg(const __nv_bfloat16* address) { return __nv_bfloat16_raw{__ldg((const unsigned short*)address)}; }
static __device__ CUDALABS_INLINE __nv_bfloat162 __ldg(const __nv_bfloat162* address) { return __builtin_bit_cast(__nv_bfloat162, __ldg((const unsigned int*)address)); }
#define CUDALABS_SHUFFLE_BFLOAT(name, Lane) \
  static __device__ CUDALABS_INLINE __nv_bfloat16 name(unsigned int mask, __nv_bfloat16 value, Lane lane, int width = 32) { return __nv_bfloat16_raw{(unsigned short)name(mask, (unsigned int)value.__x, lane, width)}; } \
  static __device__ CUDALABS_INLINE __nv_bfloat162 name(unsigned int mask, __nv_bfloat162 value, Lane lane, int width = 32) { return __builtin_bit_cast(__nv_bfloat162, name(mask, __builtin_bit_cast(unsigned int, value), lane, width)); }
CUDALABS_SHUFFLE_BFLOAT(__shfl_sync, int)
CUDALABS_SHUFFLE_BFLOAT(__shfl_up_sync, unsigned int)
CUDALABS_SHUFFLE_BFLOAT(__shfl_down_sync, unsigned int)
CUDALABS_SHUFFLE_BFLOAT(__shfl_xor_sync, int)
#undef CUDALABS_SHUFFLE_BFLOAT
#endif
// clang-format on

#undef CUDALABS_BFLOAT
#undef CUDALABS_BFLOAT_MEMBER

#endif

// NOLINTEND
