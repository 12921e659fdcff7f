// cooperative_groups::inclusive_scan and exclusive_scan over the threads of a tile or a coalesced group.
#pragma once

#include "operations.h"

#if defined(__CUDA__)

namespace cooperative_groups {

template <class Group, class T, class Operation>
static __device__ CUDALABS_INLINE T inclusive_scan(const Group& group, T value, Operation&& operation) {
  const unsigned int rank = group.thread_rank(), count = group.num_threads();
  for (unsigned int distance = 1; distance < count; distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (rank >= distance) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
static __device__ CUDALABS_INLINE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The first thread gets a value of T's default.
template <class Group, class T, class Operation>
static __device__ CUDALABS_INLINE T exclusive_scan(const Group& group, T value, Operation&& operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
static __device__ CUDALABS_INLINE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
