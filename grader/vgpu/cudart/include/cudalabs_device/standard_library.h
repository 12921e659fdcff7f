// cuda::std: the host's standard library, as far as device code can use it.
//
// clang takes every constexpr function for one of the device as well, so that most of what kernels use is there. What
// threads share is another class: see cuda/std/atomic.
#pragma once

#include "../cuda_runtime.h"

#if defined(__CUDA__)

#include <cstddef>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {
using namespace ::std;

// Constexpr only in later versions of the language.
template <class T>
static __host__ __device__ CUDALABS_INLINE void swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
template <class T, class U = T>
static __host__ __device__ CUDALABS_INLINE T exchange(T& object, U&& value) {
  T old = static_cast<T&&>(object);
  object = static_cast<U&&>(value);
  return old;
}
}  // namespace std
}  // namespace cuda

#endif
