// cooperative_groups::reduce over the threads of a tile or a coalesced group, with the usual operations.
#pragma once

#include "operations.h"

#if defined(__CUDA__)

namespace cooperative_groups {

/// Every thread of the tile gets the result.
template <unsigned int Size, class Parent, class T, class Operation>
static __device__ CUDALABS_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value,
                                           Operation&& operation) {
#pragma unroll
  for (int distance = (int)Size / 2; distance > 0; distance /= 2)
    value = operation(value, tile.shfl_xor(value, distance));
  return value;
}
template <class T, class Operation>
static __device__ CUDALABS_INLINE T reduce(const coalesced_group& group, T value, Operation&& operation) {
  const unsigned int rank = group.thread_rank(), count = group.num_threads();
  for (unsigned int distance = 1; distance < count; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank + distance < count) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif
