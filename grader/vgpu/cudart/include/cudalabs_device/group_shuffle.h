// Shuffles of values of any type that can be copied byte by byte, word by word where they are no numbers.
#pragma once

#include <type_traits>

namespace cudalabs_groups {

static __device__ CUDALABS_INLINE unsigned int lower_lanes() {
  unsigned int mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

template <class T, class Shuffle>
static __device__ CUDALABS_INLINE T shuffle_by(T value, const Shuffle& shuffle) {
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
    return shuffle(value);
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "only what can be copied byte by byte can be shuffled");
    constexpr unsigned int kWords = (sizeof(T) + 3) / 4;
    unsigned int words[kWords] = {};
    __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned int i = 0; i < kWords; ++i) words[i] = shuffle(words[i]);
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
  }
}

template <class T>
static __device__ CUDALABS_INLINE T shuffle(unsigned int mask, T value, int lane, int width = 32) {
  return shuffle_by(
      value, [=](auto part)
                 __attribute__((device, always_inline, nodebug)) { return __shfl_sync(mask, part, lane, width); });
}
template <class T>
static __device__ CUDALABS_INLINE T shuffle_up(unsigned int mask, T value, unsigned int delta, int width = 32) {
  return shuffle_by(
      value, [=](auto part)
                 __attribute__((device, always_inline, nodebug)) { return __shfl_up_sync(mask, part, delta, width); });
}
template <class T>
static __device__ CUDALABS_INLINE T shuffle_down(unsigned int mask, T value, unsigned int delta, int width = 32) {
  return shuffle_by(
      value, [=](auto part) __attribute__((device, always_inline, nodebug)) {
        return __shfl_down_sync(mask, part, delta, width);
      });
}
template <class T>
static __device__ CUDALABS_INLINE T shuffle_xor(unsigned int mask, T value, int lanes, int width = 32) {
  return shuffle_by(
      value, [=](auto part)
                 __attribute__((device, always_inline, nodebug)) { return __shfl_xor_sync(mask, part, lanes, width); });
}

}  // namespace cudalabs_groups
