// Integer functions that clang's headers lack: dot products of bytes and half words, byte order, the n-th bit, and
// minimum and maximum of sums and of three values (32-bit forms).
#pragma once

// clang-format off
#define CUDALABS_DOT(name, instruction, Result, First, Second) \
  static __device__ CUDALABS_INLINE Result name(First a, Second b, Result c) { \
    Result result; \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b)), "r"(c)); \
    return result; \
  }
CUDALABS_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
CUDALABS_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
CUDALABS_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
CUDALABS_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
CUDALABS_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
CUDALABS_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
CUDALABS_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
CUDALABS_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, uchar4)
CUDALABS_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
CUDALABS_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
CUDALABS_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
CUDALABS_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, uchar4)
#undef CUDALABS_DOT

/// The place of the `offset`-th bit that is set, counted from bit `base` upwards, or downwards for a negative offset.
static __device__ CUDALABS_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  unsigned int place;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(offset));
  return place;
}

static __host__ __device__ CUDALABS_INLINE unsigned short __nv_bswap16(unsigned short a) { return __builtin_bswap16(a); }
static __host__ __device__ CUDALABS_INLINE unsigned int __nv_bswap32(unsigned int a) { return __builtin_bswap32(a); }
static __host__ __device__ CUDALABS_INLINE unsigned long long __nv_bswap64(unsigned long long a) { return __builtin_bswap64(a); }

// max(max(a, b), c), max(a + b, c) and the like; _relu: no less than 0. Sums wrap around.
#define CUDALABS_EXTREMES(type, T) \
  static __host__ __device__ CUDALABS_INLINE T __vimax3_##type(T a, T b, T c) { return max(max(a, b), c); } \
  static __host__ __device__ CUDALABS_INLINE T __vimin3_##type(T a, T b, T c) { return min(min(a, b), c); } \
  static __host__ __device__ CUDALABS_INLINE T __viaddmax_##type(T a, T b, T c) { return max((T)((unsigned int)a + (unsigned int)b), c); } \
  static __host__ __device__ CUDALABS_INLINE T __viaddmin_##type(T a, T b, T c) { return min((T)((unsigned int)a + (unsigned int)b), c); } \
  static __host__ __device__ CUDALABS_INLINE T __vibmax_##type(T a, T b, bool* first) { *first = a >= b; return max(a, b); } \
  static __host__ __device__ CUDALABS_INLINE T __vibmin_##type(T a, T b, bool* first) { *first = a <= b; return min(a, b); }
CUDALABS_EXTREMES(s32, int)
CUDALABS_EXTREMES(u32, unsigned int)
#undef CUDALABS_EXTREMES
static __host__ __device__ CUDALABS_INLINE int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
static __host__ __device__ CUDALABS_INLINE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
static __host__ __device__ CUDALABS_INLINE int __vimax3_s32_relu(int a, int b, int c) { return max(max(max(a, b), c), 0); }
static __host__ __device__ CUDALABS_INLINE int __vimin3_s32_relu(int a, int b, int c) { return max(min(min(a, b), c), 0); }
static __host__ __device__ CUDALABS_INLINE int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
static __host__ __device__ CUDALABS_INLINE int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }
// clang-format on
