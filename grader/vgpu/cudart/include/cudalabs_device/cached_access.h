// Loads and stores with a cache operator: __ldca, __ldcg, __ldcs, __ldlu, __ldcv; __stwb, __stcg, __stcs, __stwt.
//
// One instruction each, as wide as the type. The compiler keeps them where they are written, as the data may be
// another thread's.
#pragma once

// clang-format off
namespace cudalabs_device {
template <size_t Bytes> struct bits_of_size;
template <> struct bits_of_size<1> { typedef unsigned short type; };  // PTX has no registers of 8 bits
template <> struct bits_of_size<2> { typedef unsigned short type; };
template <> struct bits_of_size<4> { typedef unsigned int type; };
template <> struct bits_of_size<8> { typedef unsigned long long type; };
struct two_words { unsigned long long low, high; };

template <class T>
static __device__ CUDALABS_INLINE T from_bits(typename bits_of_size<sizeof(T)>::type bits) {
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(T, (unsigned char)bits);
  else return __builtin_bit_cast(T, bits);
}
template <class T>
static __device__ CUDALABS_INLINE typename bits_of_size<sizeof(T)>::type to_bits(T value) {
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(unsigned char, value);
  else return __builtin_bit_cast(typename bits_of_size<sizeof(T)>::type, value);
}
}  // namespace cudalabs_device

#define CUDALABS_LOAD(name, op) \
  namespace cudalabs_device { \
  template <class T> \
  static __device__ CUDALABS_INLINE T load_##op(const T* address) { \
    if constexpr (sizeof(T) == 16) { \
      two_words words; \
      asm volatile("ld.global." #op ".v2.u64 {%0, %1}, [%2];" : "=l"(words.low), "=l"(words.high) : "l"(__cvta_generic_to_global(address)) : "memory"); \
      return __builtin_bit_cast(T, words); \
    } else { \
      typename bits_of_size<sizeof(T)>::type bits; \
      if constexpr (sizeof(T) == 1) asm volatile("ld.global." #op ".u8 %0, [%1];" : "=h"(bits) : "l"(__cvta_generic_to_global(address)) : "memory"); \
      if constexpr (sizeof(T) == 2) asm volatile("ld.global." #op ".u16 %0, [%1];" : "=h"(bits) : "l"(__cvta_generic_to_global(address)) : "memory"); \
      if constexpr (sizeof(T) == 4) asm volatile("ld.global." #op ".u32 %0, [%1];" : "=r"(bits) : "l"(__cvta_generic_to_global(address)) : "memory"); \
      if constexpr (sizeof(T) == 8) asm volatile("ld.global." #op ".u64 %0, [%1];" : "=l"(bits) : "l"(__cvta_generic_to_global(address)) : "memory"); \
      return from_bits<T>(bits); \
    } \
  } \
  } \
  CUDALABS_CACHED_TYPES(CUDALABS_LOAD_OF, name, op)
#define CUDALABS_LOAD_OF(T, name, op) static __device__ CUDALABS_INLINE T name(const T* address) { return cudalabs_device::load_##op(address); }

#define CUDALABS_STORE(name, op) \
  namespace cudalabs_device { \
  template <class T> \
  static __device__ CUDALABS_INLINE void store_##op(T* address, T value) { \
    if constexpr (sizeof(T) == 16) { \
      const two_words words = __builtin_bit_cast(two_words, value); \
      asm volatile("st.global." #op ".v2.u64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(address)), "l"(words.low), "l"(words.high) : "memory"); \
    } else { \
      const auto bits = to_bits(value); \
      if constexpr (sizeof(T) == 1) asm volatile("st.global." #op ".u8 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "h"(bits) : "memory"); \
      if constexpr (sizeof(T) == 2) asm volatile("st.global." #op ".u16 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "h"(bits) : "memory"); \
      if constexpr (sizeof(T) == 4) asm volatile("st.global." #op ".u32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "r"(bits) : "memory"); \
      if constexpr (sizeof(T) == 8) asm volatile("st.global." #op ".u64 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "l"(bits) : "memory"); \
    } \
  } \
  } \
  CUDALABS_CACHED_TYPES(CUDALABS_STORE_OF, name, op)
#define CUDALABS_STORE_OF(T, name, op) static __device__ CUDALABS_INLINE void name(T* address, T value) { cudalabs_device::store_##op(address, value); }

#define CUDALABS_CACHED_TYPES(USE, name, op) \
  USE(char, name, op) USE(signed char, name, op) USE(short, name, op) USE(int, name, op) USE(long, name, op) USE(long long, name, op) \
  USE(unsigned char, name, op) USE(unsigned short, name, op) USE(unsigned int, name, op) USE(unsigned long, name, op) USE(unsigned long long, name, op) \
  USE(float, name, op) USE(double, name, op) \
  USE(char2, name, op) USE(char4, name, op) USE(short2, name, op) USE(short4, name, op) USE(int2, name, op) USE(int4, name, op) USE(longlong2, name, op) \
  USE(uchar2, name, op) USE(uchar4, name, op) USE(ushort2, name, op) USE(ushort4, name, op) USE(uint2, name, op) USE(uint4, name, op) USE(ulonglong2, name, op) \
  USE(float2, name, op) USE(float4, name, op) USE(double2, name, op)

CUDALABS_LOAD(__ldca, ca)
CUDALABS_LOAD(__ldcg, cg)
CUDALABS_LOAD(__ldcs, cs)
CUDALABS_LOAD(__ldlu, lu)
CUDALABS_LOAD(__ldcv, cv)
CUDALABS_STORE(__stwb, wb)
CUDALABS_STORE(__stcg, cg)
CUDALABS_STORE(__stcs, cs)
CUDALABS_STORE(__stwt, wt)

#undef CUDALABS_LOAD
#undef CUDALABS_LOAD_OF
#undef CUDALABS_STORE
#undef CUDALABS_STORE_OF
#undef CUDALABS_CACHED_TYPES
// clang-format on
