// Cooperative groups: the block, tiles of a warp, the active lanes, and the grid as far as it needs no synchronisation.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

namespace cooperative_groups {

// A grid that synchronises needs a cooperative launch, which the virtual GPU does not offer; so no grid_group::sync.
class grid_group {
 public:
  static __device__ CUDALABS_INLINE unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static __device__ CUDALABS_INLINE unsigned long long num_threads() {
    return num_blocks() * (blockDim.x * blockDim.y * blockDim.z);
  }
  static __device__ CUDALABS_INLINE unsigned long long size() { return num_threads(); }
  static __device__ CUDALABS_INLINE unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  static __device__ CUDALABS_INLINE unsigned long long thread_rank() {
    return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + threadIdx.x +
           blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static __device__ CUDALABS_INLINE dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ CUDALABS_INLINE dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};
static __device__ CUDALABS_INLINE grid_group this_grid() {
  return {};
}

class thread_block {
 public:
  static __device__ CUDALABS_INLINE void sync() { __syncthreads(); }
  static __device__ CUDALABS_INLINE unsigned int thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static __device__ CUDALABS_INLINE unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ CUDALABS_INLINE unsigned int size() { return num_threads(); }
  static __device__ CUDALABS_INLINE dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ CUDALABS_INLINE dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ CUDALABS_INLINE dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ CUDALABS_INLINE dim3 dim_threads() { return group_dim(); }
};
static __device__ CUDALABS_INLINE thread_block this_thread_block() {
  return {};
}

/// `Size` neighbouring lanes of a warp: 1, 2, 4, 8, 16 or 32.
template <unsigned int Size, class Parent = thread_block>
class thread_block_tile {
  static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ CUDALABS_INLINE void sync() const { __syncwarp(mask()); }
  static __device__ CUDALABS_INLINE unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  static __device__ CUDALABS_INLINE constexpr unsigned int num_threads() { return Size; }
  static __device__ CUDALABS_INLINE constexpr unsigned int size() { return Size; }
  static __device__ CUDALABS_INLINE unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
  static __device__ CUDALABS_INLINE unsigned int meta_group_size() {
    return (thread_block::num_threads() + Size - 1) / Size;
  }

  template <class T>
  __device__ CUDALABS_INLINE T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, Size);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_up(T value, unsigned int delta) const {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_down(T value, unsigned int delta) const {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_xor(T value, int lane_mask) const {
    return __shfl_xor_sync(mask(), value, lane_mask, Size);
  }
  __device__ CUDALABS_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ CUDALABS_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  __device__ CUDALABS_INLINE unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask(), predicate) & mask()) >> first_lane();
  }
  template <class T>
  __device__ CUDALABS_INLINE unsigned int match_any(T value) const {
    return (__match_any_sync(mask(), value) & mask()) >> first_lane();
  }
  template <class T>
  __device__ CUDALABS_INLINE unsigned int match_all(T value, int& predicate) const {
    return (__match_all_sync(mask(), value, &predicate) & mask()) >> first_lane();
  }

 private:
  static __device__ CUDALABS_INLINE unsigned int first_lane() { return thread_block::thread_rank() % 32 / Size * Size; }
  static __device__ CUDALABS_INLINE unsigned int mask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1) << first_lane();
  }
};

template <unsigned int Size, class Parent>
static __device__ CUDALABS_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

/// The lanes of a warp that were active together when it was made.
class coalesced_group {
 public:
  __device__ CUDALABS_INLINE explicit coalesced_group(unsigned int mask) : mask_(mask) {}
  __device__ CUDALABS_INLINE void sync() const { __syncwarp(mask_); }
  __device__ CUDALABS_INLINE unsigned int num_threads() const { return (unsigned int)__popc((int)mask_); }
  __device__ CUDALABS_INLINE unsigned int size() const { return num_threads(); }
  __device__ CUDALABS_INLINE unsigned int thread_rank() const {
    const unsigned int lane = thread_block::thread_rank() % 32;
    return (unsigned int)__popc((int)(mask_ & ((1u << lane) - 1)));
  }
  __device__ CUDALABS_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ CUDALABS_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
  template <class T>
  __device__ CUDALABS_INLINE T shfl(T value, unsigned int rank) const {
    unsigned int lanes = mask_;  // drop the `rank` lowest; the next one is meant
    for (unsigned int i = 0; i < rank; ++i) lanes &= lanes - 1;
    return __shfl_sync(mask_, value, __ffs((int)lanes) - 1);
  }

 private:
  unsigned int mask_;
};
static __device__ CUDALABS_INLINE coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <class Group>
static __device__ CUDALABS_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
static __device__ CUDALABS_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
static __device__ CUDALABS_INLINE auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#endif
