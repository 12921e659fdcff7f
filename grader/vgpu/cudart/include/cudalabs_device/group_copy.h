// A copy that the threads of a group share, in the widest pieces that both addresses allow.
//
// The architecture that clang compiles for has no asynchronous copies: what is asked for is copied at once, and is
// there for the other threads after they have synchronised.
#pragma once

namespace cudalabs_groups {

typedef int copied_4 __attribute__((may_alias));
typedef int copied_8 __attribute__((ext_vector_type(2), may_alias));
typedef int copied_16 __attribute__((ext_vector_type(4), may_alias));
typedef char copied_1 __attribute__((may_alias));

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

template <class Group>
static __device__ CUDALABS_INLINE void copy(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t rank = group.thread_rank(), threads = group.size();
  const size_t parts = (size_t)to | (size_t)from | bytes;
  if (parts % 16 == 0) {
    copy_pieces<copied_16>(rank, threads, to, from, bytes);
  } else if (parts % 8 == 0) {
    copy_pieces<copied_8>(rank, threads, to, from, bytes);
  } else if (parts % 4 == 0) {
    copy_pieces<copied_4>(rank, threads, to, from, bytes);
  } else {
    copy_pieces<copied_1>(rank, threads, to, from, bytes);
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
