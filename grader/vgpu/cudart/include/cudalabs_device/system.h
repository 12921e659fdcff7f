// What the device side offers of the C library: assert, malloc, free (printf: see ../stdio.h); and what clang's own
// headers lack of timers.
#pragma once

#include <stddef.h>

extern "C" {
__device__ void* malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void* pointer) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             size_t char_size);

// The name glibc's assert() calls.
static __device__ CUDALABS_INLINE void __assert_fail(const char* message, const char* file, unsigned int line,
                                                     const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
using ::free;
using ::malloc;
}  // namespace std

static __device__ CUDALABS_INLINE void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
static __device__ CUDALABS_INLINE unsigned long long int __globaltimer() {
  unsigned long long int nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}
