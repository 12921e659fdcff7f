// Asynchronous copies of 4, 8 or 16 bytes from global to shared memory.
//
// The architecture that clang compiles for has none. In the optimised build each is done at once, by a load and a
// store, as NVIDIA's headers do there, with nothing left to commit or to wait for. In the checked build they are what
// they are on later architectures, so that a wait that is missing is found.
#pragma once

namespace cudalabs_device {

// What is copied may be read as any type. Vectors, as a structure would be copied in parts.
typedef char copied_1 __attribute__((may_alias));
typedef int copied_4 __attribute__((may_alias));
typedef int copied_8 __attribute__((ext_vector_type(2), may_alias));
typedef int copied_16 __attribute__((ext_vector_type(4), may_alias));

/// Copies a T, of which the last `zfill` bytes become zeros instead.
template <class T>
static __device__ CUDALABS_INLINE void copy_or_clear(void* to, const void* from, size_t zfill) {
#if defined(CUDALABS_CHECKED_BUILD)
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
               "l"(__cvta_generic_to_global(from)), "n"((int)sizeof(T)), "r"((int)(sizeof(T) - zfill))
               : "memory");
#else
  if (zfill == 0) {
    *(T*)to = *(const T*)from;
  } else if (zfill == sizeof(T)) {
    *(T*)to = T();
  } else {
    for (size_t i = 0; i < sizeof(T); ++i) ((char*)to)[i] = i < sizeof(T) - zfill ? ((const char*)from)[i] : char();
  }
#endif
}

/// The thread's copies since the last commit become a group.
static __device__ CUDALABS_INLINE void commit_copies() {
#if defined(CUDALABS_CHECKED_BUILD)
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  CUDALABS_COMPILER_BARRIER();
#endif
}

/// Until at most `prior` of the thread's newest groups are under way; at most 8 may be.
static __device__ CUDALABS_INLINE void wait_for_copies(size_t prior) {
#if defined(CUDALABS_CHECKED_BUILD)
#define CUDALABS_WAIT(count)                                      \
  case count:                                                     \
    asm volatile("cp.async.wait_group " #count ";" ::: "memory"); \
    return
  switch (prior) {
    CUDALABS_WAIT(0);
    CUDALABS_WAIT(1);
    CUDALABS_WAIT(2);
    CUDALABS_WAIT(3);
    CUDALABS_WAIT(4);
    CUDALABS_WAIT(5);
    CUDALABS_WAIT(6);
    CUDALABS_WAIT(7);
    default:
      asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
#undef CUDALABS_WAIT
#else
  (void)prior;
  CUDALABS_COMPILER_BARRIER();
#endif
}

/// Until none is under way, whether it was committed or not.
static __device__ CUDALABS_INLINE void wait_for_all_copies() {
#if defined(CUDALABS_CHECKED_BUILD)
  asm volatile("cp.async.wait_all;" ::: "memory");
#else
  CUDALABS_COMPILER_BARRIER();
#endif
}

}  // namespace cudalabs_device
