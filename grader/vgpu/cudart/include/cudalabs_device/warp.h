// Warp functions: shuffles, votes, matches, reductions, __syncwarp.
#pragma once

#include "ordered.h"

namespace cudalabs_device {
// The operand c of shfl.sync: segment mask in bits 8 to 12, clamp value in bits 0 to 4 (PTX ISA, shfl.sync).
static __device__ CUDALABS_INLINE int shuffle_control(int width, int clamp) {
  return ((32 - width) << 8) | clamp;
}

// LLVM 14 gives these instructions a result of 64 bits, which PTX does not allow.
static __device__ CUDALABS_INLINE unsigned int match_any(unsigned int mask, unsigned long long value) {
  unsigned int lanes;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"(value), "r"(mask) : "memory");
  return lanes;
}
static __device__ CUDALABS_INLINE unsigned int match_all(unsigned int mask, unsigned long long value, int* predicate) {
  unsigned int lanes;
  int alike;
  asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
               : "=r"(lanes), "=r"(alike)
               : "l"(value), "r"(mask)
               : "memory");
  *predicate = alike;
  return lanes;
}
}  // namespace cudalabs_device

// clang-format off
static __device__ CUDALABS_INLINE int __shfl_sync(unsigned int mask, int value, int lane, int width = 32) { CUDALABS_ORDERED(__nvvm_shfl_sync_idx_i32(mask, value, (int)lane, cudalabs_device::shuffle_control(width, 31))); }
static __device__ CUDALABS_INLINE unsigned int __shfl_sync(unsigned int mask, unsigned int value, int lane, int width = 32) { return (unsigned int)__shfl_sync(mask, (int)value, lane, width); }
static __device__ CUDALABS_INLINE float __shfl_sync(unsigned int mask, float value, int lane, int width = 32) { return __builtin_bit_cast(float, __shfl_sync(mask, __builtin_bit_cast(int, value), lane, width)); }
static __device__ CUDALABS_INLINE unsigned long long __shfl_sync(unsigned int mask, unsigned long long value, int lane, int width = 32) {
  const unsigned int low = __shfl_sync(mask, (unsigned int)value, lane, width);
  const unsigned int high = __shfl_sync(mask, (unsigned int)(value >> 32), lane, width);
  return (unsigned long long)high << 32 | low;
}
static __device__ CUDALABS_INLINE long long __shfl_sync(unsigned int mask, long long value, int lane, int width = 32) { return (long long)__shfl_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE long __shfl_sync(unsigned int mask, long value, int lane, int width = 32) { return (long)__shfl_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE unsigned long __shfl_sync(unsigned int mask, unsigned long value, int lane, int width = 32) { return (unsigned long)__shfl_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE double __shfl_sync(unsigned int mask, double value, int lane, int width = 32) { return __builtin_bit_cast(double, __shfl_sync(mask, __builtin_bit_cast(long long, value), lane, width)); }
static __device__ CUDALABS_INLINE int __shfl_up_sync(unsigned int mask, int value, unsigned int lane, int width = 32) { CUDALABS_ORDERED(__nvvm_shfl_sync_up_i32(mask, value, (int)lane, cudalabs_device::shuffle_control(width, 0))); }
static __device__ CUDALABS_INLINE unsigned int __shfl_up_sync(unsigned int mask, unsigned int value, unsigned int lane, int width = 32) { return (unsigned int)__shfl_up_sync(mask, (int)value, lane, width); }
static __device__ CUDALABS_INLINE float __shfl_up_sync(unsigned int mask, float value, unsigned int lane, int width = 32) { return __builtin_bit_cast(float, __shfl_up_sync(mask, __builtin_bit_cast(int, value), lane, width)); }
static __device__ CUDALABS_INLINE unsigned long long __shfl_up_sync(unsigned int mask, unsigned long long value, unsigned int lane, int width = 32) {
  const unsigned int low = __shfl_up_sync(mask, (unsigned int)value, lane, width);
  const unsigned int high = __shfl_up_sync(mask, (unsigned int)(value >> 32), lane, width);
  return (unsigned long long)high << 32 | low;
}
static __device__ CUDALABS_INLINE long long __shfl_up_sync(unsigned int mask, long long value, unsigned int lane, int width = 32) { return (long long)__shfl_up_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE long __shfl_up_sync(unsigned int mask, long value, unsigned int lane, int width = 32) { return (long)__shfl_up_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE unsigned long __shfl_up_sync(unsigned int mask, unsigned long value, unsigned int lane, int width = 32) { return (unsigned long)__shfl_up_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE double __shfl_up_sync(unsigned int mask, double value, unsigned int lane, int width = 32) { return __builtin_bit_cast(double, __shfl_up_sync(mask, __builtin_bit_cast(long long, value), lane, width)); }
static __device__ CUDALABS_INLINE int __shfl_down_sync(unsigned int mask, int value, unsigned int lane, int width = 32) { CUDALABS_ORDERED(__nvvm_shfl_sync_down_i32(mask, value, (int)lane, cudalabs_device::shuffle_control(width, 31))); }
static __device__ CUDALABS_INLINE unsigned int __shfl_down_sync(unsigned int mask, unsigned int value, unsigned int lane, int width = 32) { return (unsigned int)__shfl_down_sync(mask, (int)value, lane, width); }
static __device__ CUDALABS_INLINE float __shfl_down_sync(unsigned int mask, float value, unsigned int lane, int width = 32) { return __builtin_bit_cast(float, __shfl_down_sync(mask, __builtin_bit_cast(int, value), lane, width)); }
static __device__ CUDALABS_INLINE unsigned long long __shfl_down_sync(unsigned int mask, unsigned long long value, unsigned int lane, int width = 32) {
  const unsigned int low = __shfl_down_sync(mask, (unsigned int)value, lane, width);
  const unsigned int high = __shfl_down_sync(mask, (unsigned int)(value >> 32), lane, width);
  return (unsigned long long)high << 32 | low;
}
static __device__ CUDALABS_INLINE long long __shfl_down_sync(unsigned int mask, long long value, unsigned int lane, int width = 32) { return (long long)__shfl_down_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE long __shfl_down_sync(unsigned int mask, long value, unsigned int lane, int width = 32) { return (long)__shfl_down_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE unsigned long __shfl_down_sync(unsigned int mask, unsigned long value, unsigned int lane, int width = 32) { return (unsigned long)__shfl_down_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE double __shfl_down_sync(unsigned int mask, double value, unsigned int lane, int width = 32) { return __builtin_bit_cast(double, __shfl_down_sync(mask, __builtin_bit_cast(long long, value), lane, width)); }
static __device__ CUDALABS_INLINE int __shfl_xor_sync(unsigned int mask, int value, int lane, int width = 32) { CUDALABS_ORDERED(__nvvm_shfl_sync_bfly_i32(mask, value, (int)lane, cudalabs_device::shuffle_control(width, 31))); }
static __device__ CUDALABS_INLINE unsigned int __shfl_xor_sync(unsigned int mask, unsigned int value, int lane, int width = 32) { return (unsigned int)__shfl_xor_sync(mask, (int)value, lane, width); }
static __device__ CUDALABS_INLINE float __shfl_xor_sync(unsigned int mask, float value, int lane, int width = 32) { return __builtin_bit_cast(float, __shfl_xor_sync(mask, __builtin_bit_cast(int, value), lane, width)); }
static __device__ CUDALABS_INLINE unsigned long long __shfl_xor_sync(unsigned int mask, unsigned long long value, int lane, int width = 32) {
  const unsigned int low = __shfl_xor_sync(mask, (unsigned int)value, lane, width);
  const unsigned int high = __shfl_xor_sync(mask, (unsigned int)(value >> 32), lane, width);
  return (unsigned long long)high << 32 | low;
}
static __device__ CUDALABS_INLINE long long __shfl_xor_sync(unsigned int mask, long long value, int lane, int width = 32) { return (long long)__shfl_xor_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE long __shfl_xor_sync(unsigned int mask, long value, int lane, int width = 32) { return (long)__shfl_xor_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE unsigned long __shfl_xor_sync(unsigned int mask, unsigned long value, int lane, int width = 32) { return (unsigned long)__shfl_xor_sync(mask, (unsigned long long)value, lane, width); }
static __device__ CUDALABS_INLINE double __shfl_xor_sync(unsigned int mask, double value, int lane, int width = 32) { return __builtin_bit_cast(double, __shfl_xor_sync(mask, __builtin_bit_cast(long long, value), lane, width)); }
static __device__ CUDALABS_INLINE void __syncwarp(unsigned int mask = 0xffffffffu) { CUDALABS_ORDERED_VOID(__nvvm_bar_warp_sync(mask)); }
static __device__ CUDALABS_INLINE int __all_sync(unsigned int mask, int predicate) { CUDALABS_ORDERED(__nvvm_vote_all_sync(mask, predicate != 0)); }
static __device__ CUDALABS_INLINE int __any_sync(unsigned int mask, int predicate) { CUDALABS_ORDERED(__nvvm_vote_any_sync(mask, predicate != 0)); }
static __device__ CUDALABS_INLINE int __uni_sync(unsigned int mask, int predicate) { CUDALABS_ORDERED(__nvvm_vote_uni_sync(mask, predicate != 0)); }
static __device__ CUDALABS_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate) { CUDALABS_ORDERED(__nvvm_vote_ballot_sync(mask, predicate != 0)); }
static __device__ CUDALABS_INLINE unsigned int __activemask() { unsigned int mask; asm volatile("activemask.b32 %0;" : "=r"(mask)); return mask; }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, unsigned int value) { CUDALABS_ORDERED((unsigned int)__nvvm_match_any_sync_i32(mask, value)); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, unsigned int value, int* predicate) { CUDALABS_ORDERED((unsigned int)__nvvm_match_all_sync_i32p(mask, value, predicate)); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, int value) { CUDALABS_ORDERED((unsigned int)__nvvm_match_any_sync_i32(mask, (unsigned int)value)); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, int value, int* predicate) { CUDALABS_ORDERED((unsigned int)__nvvm_match_all_sync_i32p(mask, (unsigned int)value, predicate)); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, float value) { CUDALABS_ORDERED((unsigned int)__nvvm_match_any_sync_i32(mask, (unsigned int)__builtin_bit_cast(int, value))); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, float value, int* predicate) { CUDALABS_ORDERED((unsigned int)__nvvm_match_all_sync_i32p(mask, (unsigned int)__builtin_bit_cast(int, value), predicate)); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, unsigned long long value) { return cudalabs_device::match_any(mask, (unsigned long long)value); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, unsigned long long value, int* predicate) { return cudalabs_device::match_all(mask, (unsigned long long)value, predicate); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, long long value) { return cudalabs_device::match_any(mask, (unsigned long long)value); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, long long value, int* predicate) { return cudalabs_device::match_all(mask, (unsigned long long)value, predicate); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, unsigned long value) { return cudalabs_device::match_any(mask, (unsigned long long)value); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, unsigned long value, int* predicate) { return cudalabs_device::match_all(mask, (unsigned long long)value, predicate); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, long value) { return cudalabs_device::match_any(mask, (unsigned long long)value); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, long value, int* predicate) { return cudalabs_device::match_all(mask, (unsigned long long)value, predicate); }
static __device__ CUDALABS_INLINE unsigned int __match_any_sync(unsigned int mask, double value) { return cudalabs_device::match_any(mask, (unsigned long long)__builtin_bit_cast(long long, value)); }
static __device__ CUDALABS_INLINE unsigned int __match_all_sync(unsigned int mask, double value, int* predicate) { return cudalabs_device::match_all(mask, (unsigned long long)__builtin_bit_cast(long long, value), predicate); }
// Reductions of later architectures: the virtual GPU has them, too.
#define CUDALABS_REDUCE(name, type, T) \
  static __device__ CUDALABS_INLINE T __reduce_##name##_sync(unsigned int mask, T value) { \
    T result; \
    asm volatile("redux.sync." #name "." type " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask) : "memory"); \
    return result; \
  }
CUDALABS_REDUCE(add, "s32", int)
CUDALABS_REDUCE(add, "u32", unsigned int)
CUDALABS_REDUCE(min, "s32", int)
CUDALABS_REDUCE(min, "u32", unsigned int)
CUDALABS_REDUCE(max, "s32", int)
CUDALABS_REDUCE(max, "u32", unsigned int)
CUDALABS_REDUCE(and, "b32", unsigned int)
CUDALABS_REDUCE(or, "b32", unsigned int)
CUDALABS_REDUCE(xor, "b32", unsigned int)
#undef CUDALABS_REDUCE
// clang-format on
