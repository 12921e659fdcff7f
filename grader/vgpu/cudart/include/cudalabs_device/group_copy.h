// A copy that the threads of a group share, in the widest pieces that both addresses allow.
//
// From global to shared memory, and in pieces of four bytes or more, it is asynchronous: see async_copy.h. Any other is
// done at once, as NVIDIA's headers do it.
#pragma once

#include "async_copy.h"

namespace cudalabs_groups {

/// A group of the calling thread alone.
struct OneThread {
  static __device__ CUDALABS_INLINE unsigned int thread_rank() { return 0; }
  static __device__ CUDALABS_INLINE unsigned int size() { return 1; }
};

template <class Piece>
static __device__ CUDALABS_INLINE void copy_pieces(size_t rank, size_t threads, void* to, const void* from,
                                                   size_t bytes) {
  for (size_t i = rank; i < bytes / sizeof(Piece); i += threads) ((Piece*)to)[i] = ((const Piece*)from)[i];
}
template <class Piece>
static __device__ CUDALABS_INLINE void send_pieces(size_t rank, size_t threads, void* to, const void* from,
                                                   size_t bytes) {
#if defined(CUDALABS_CHECKED_BUILD)
  if (__isShared(to) && __isGlobal(from)) {
    for (size_t i = rank; i < bytes / sizeof(Piece); i += threads)
      cudalabs_device::copy_or_clear<Piece>((Piece*)to + i, (const Piece*)from + i, 0);
    return;
  }
#endif
  copy_pieces<Piece>(rank, threads, to, from, bytes);
}

template <class Group>
static __device__ CUDALABS_INLINE void copy(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t rank = group.thread_rank(), threads = group.size();
  const size_t parts = (size_t)to | (size_t)from | bytes;
  if (parts % 16 == 0) {
    send_pieces<cudalabs_device::copied_16>(rank, threads, to, from, bytes);
  } else if (parts % 8 == 0) {
    send_pieces<cudalabs_device::copied_8>(rank, threads, to, from, bytes);
  } else if (parts % 4 == 0) {
    send_pieces<cudalabs_device::copied_4>(rank, threads, to, from, bytes);
  } else {
    copy_pieces<cudalabs_device::copied_1>(rank, threads, to, from, bytes);
  }
}

}  // namespace cudalabs_groups

namespace cuda {
/// A number of bytes that is a multiple of `Alignment`, as both addresses are.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ CUDALABS_INLINE explicit aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ CUDALABS_INLINE operator size_t() const { return value; }
};
}  // namespace cuda
