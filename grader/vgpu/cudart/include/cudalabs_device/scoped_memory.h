// Loads, stores and atomic operations with a memory order and a scope, as PTX has them.
//
// Relaxed ones are relaxed. For all other orders a load acquires, a store releases and an atomic operation does both; a
// sequentially consistent one has a fence before it.
#pragma once

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
namespace std {
using memory_order = ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
}  // namespace std
}  // namespace cuda

namespace cudalabs_scoped {

using cuda::memory_order;
using cuda::thread_scope;

template <class T>
static __device__ CUDALABS_INLINE bool same_bits(T a, T b) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(unsigned int, a) == __builtin_bit_cast(unsigned int, b);
  else
    return __builtin_bit_cast(unsigned long long, a) == __builtin_bit_cast(unsigned long long, b);
}

// clang-format off
// One instruction for each scope; `order` is part of the text.
#define CUDALABS_SCOPED(before, after, ...) \
  if constexpr (Scope == cuda::thread_scope_system) asm volatile(before ".sys" after __VA_ARGS__); \
  else if constexpr (Scope == cuda::thread_scope_device) asm volatile(before ".gpu" after __VA_ARGS__); \
  else asm volatile(before ".cta" after __VA_ARGS__)
template <thread_scope Scope>
static __device__ CUDALABS_INLINE void fence() { CUDALABS_SCOPED("fence.sc", ";", : : : "memory"); }
#define CUDALABS_ORDERED_ATOM(operation, ...) \
  if (order == cuda::memory_order_seq_cst) fence<Scope>(); \
  if (order == cuda::memory_order_relaxed) { CUDALABS_SCOPED("atom.relaxed", operation, __VA_ARGS__); } \
  else { CUDALABS_SCOPED("atom.acq_rel", operation, __VA_ARGS__); }

template <class T, thread_scope Scope>
static __device__ CUDALABS_INLINE T load(const T* from, memory_order order) {
  if (order == cuda::memory_order_seq_cst) fence<Scope>();
  if constexpr (sizeof(T) == 4) {
    unsigned int value;
    if (order == cuda::memory_order_relaxed) { CUDALABS_SCOPED("ld.relaxed", ".u32 %0, [%1];", : "=r"(value) : "l"(from) : "memory"); }
    else { CUDALABS_SCOPED("ld.acquire", ".u32 %0, [%1];", : "=r"(value) : "l"(from) : "memory"); }
    return __builtin_bit_cast(T, value);
  } else {
    static_assert(sizeof(T) == 8, "atomic types here have four or eight bytes");
    unsigned long long value;
    if (order == cuda::memory_order_relaxed) { CUDALABS_SCOPED("ld.relaxed", ".u64 %0, [%1];", : "=l"(value) : "l"(from) : "memory"); }
    else { CUDALABS_SCOPED("ld.acquire", ".u64 %0, [%1];", : "=l"(value) : "l"(from) : "memory"); }
    return __builtin_bit_cast(T, value);
  }
}
template <class T, thread_scope Scope>
static __device__ CUDALABS_INLINE void store(T* to, T value, memory_order order) {
  if (order == cuda::memory_order_seq_cst) fence<Scope>();
  if constexpr (sizeof(T) == 4) {
    if (order == cuda::memory_order_relaxed) { CUDALABS_SCOPED("st.relaxed", ".u32 [%0], %1;", : : "l"(to), "r"(__builtin_bit_cast(unsigned int, value)) : "memory"); }
    else { CUDALABS_SCOPED("st.release", ".u32 [%0], %1;", : : "l"(to), "r"(__builtin_bit_cast(unsigned int, value)) : "memory"); }
  } else {
    static_assert(sizeof(T) == 8, "atomic types here have four or eight bytes");
    if (order == cuda::memory_order_relaxed) { CUDALABS_SCOPED("st.relaxed", ".u64 [%0], %1;", : : "l"(to), "l"(__builtin_bit_cast(unsigned long long, value)) : "memory"); }
    else { CUDALABS_SCOPED("st.release", ".u64 [%0], %1;", : : "l"(to), "l"(__builtin_bit_cast(unsigned long long, value)) : "memory"); }
  }
}

#define CUDALABS_ATOM_BITS(name, operation) \
  template <class T, thread_scope Scope> \
  static __device__ CUDALABS_INLINE T name(T* at, T value, memory_order order) { \
    if constexpr (sizeof(T) == 4) { \
      unsigned int old; \
      CUDALABS_ORDERED_ATOM("." operation ".b32 %0, [%1], %2;", : "=r"(old) : "l"(at), "r"(__builtin_bit_cast(unsigned int, value)) : "memory") \
      return __builtin_bit_cast(T, old); \
    } else { \
      static_assert(sizeof(T) == 8, "atomic types here have four or eight bytes"); \
      unsigned long long old; \
      CUDALABS_ORDERED_ATOM("." operation ".b64 %0, [%1], %2;", : "=l"(old) : "l"(at), "l"(__builtin_bit_cast(unsigned long long, value)) : "memory") \
      return __builtin_bit_cast(T, old); \
    } \
  }
CUDALABS_ATOM_BITS(exchange, "exch")
CUDALABS_ATOM_BITS(fetch_and, "and")
CUDALABS_ATOM_BITS(fetch_or, "or")
CUDALABS_ATOM_BITS(fetch_xor, "xor")
#undef CUDALABS_ATOM_BITS

template <class T, thread_scope Scope>
static __device__ CUDALABS_INLINE T compare_exchange(T* at, T expected, T desired, memory_order order) {
  if constexpr (sizeof(T) == 4) {
    unsigned int old;
    CUDALABS_ORDERED_ATOM(".cas.b32 %0, [%1], %2, %3;", : "=r"(old) : "l"(at), "r"(__builtin_bit_cast(unsigned int, expected)), "r"(__builtin_bit_cast(unsigned int, desired)) : "memory")
    return __builtin_bit_cast(T, old);
  } else {
    static_assert(sizeof(T) == 8, "atomic types here have four or eight bytes");
    unsigned long long old;
    CUDALABS_ORDERED_ATOM(".cas.b64 %0, [%1], %2, %3;", : "=l"(old) : "l"(at), "l"(__builtin_bit_cast(unsigned long long, expected)), "l"(__builtin_bit_cast(unsigned long long, desired)) : "memory")
    return __builtin_bit_cast(T, old);
  }
}

template <class T, thread_scope Scope>
static __device__ CUDALABS_INLINE T fetch_add(T* at, T value, memory_order order) {
  if constexpr (__is_same(T, float)) {
    float old;
    CUDALABS_ORDERED_ATOM(".add.f32 %0, [%1], %2;", : "=f"(old) : "l"(at), "f"(value) : "memory")
    return old;
  } else if constexpr (__is_same(T, double)) {
    double old;
    CUDALABS_ORDERED_ATOM(".add.f64 %0, [%1], %2;", : "=d"(old) : "l"(at), "d"(value) : "memory")
    return old;
  } else if constexpr (sizeof(T) == 4) {
    unsigned int old;
    CUDALABS_ORDERED_ATOM(".add.u32 %0, [%1], %2;", : "=r"(old) : "l"(at), "r"((unsigned int)value) : "memory")
    return (T)old;
  } else {
    static_assert(sizeof(T) == 8, "atomic types here have four or eight bytes");
    unsigned long long old;
    CUDALABS_ORDERED_ATOM(".add.u64 %0, [%1], %2;", : "=l"(old) : "l"(at), "l"((unsigned long long)value) : "memory")
    return (T)old;
  }
}

#define CUDALABS_ATOM_EXTREME(name, operation) \
  template <class T, thread_scope Scope> \
  static __device__ CUDALABS_INLINE T name(T* at, T value, memory_order order) { \
    if constexpr (sizeof(T) == 4) { \
      T old; \
      if constexpr ((T)-1 < (T)0) { CUDALABS_ORDERED_ATOM("." operation ".s32 %0, [%1], %2;", : "=r"(old) : "l"(at), "r"(value) : "memory") } \
      else { CUDALABS_ORDERED_ATOM("." operation ".u32 %0, [%1], %2;", : "=r"(old) : "l"(at), "r"(value) : "memory") } \
      return old; \
    } else { \
      T old; \
      if constexpr ((T)-1 < (T)0) { CUDALABS_ORDERED_ATOM("." operation ".s64 %0, [%1], %2;", : "=l"(old) : "l"(at), "l"(value) : "memory") } \
      else { CUDALABS_ORDERED_ATOM("." operation ".u64 %0, [%1], %2;", : "=l"(old) : "l"(at), "l"(value) : "memory") } \
      return old; \
    } \
  }
CUDALABS_ATOM_EXTREME(fetch_min, "min")
CUDALABS_ATOM_EXTREME(fetch_max, "max")
#undef CUDALABS_ATOM_EXTREME
#undef CUDALABS_ORDERED_ATOM
#undef CUDALABS_SCOPED
// clang-format on

}  // namespace cudalabs_scoped
