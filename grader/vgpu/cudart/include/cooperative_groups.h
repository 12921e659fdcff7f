// Cooperative groups: the grid, the block, tiles of a warp, lanes that are active together, and parts of these.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include "cudalabs_device/group_shuffle.h"

namespace cooperative_groups {

/// All blocks; they can synchronise where the launch was a cooperative one.
class grid_group {
 public:
  static __device__ CUDALABS_INLINE bool is_valid() { return workspace() != 0; }
  static __device__ CUDALABS_INLINE void sync() {
    if (!is_valid()) __trap();
    __syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) arrive_and_wait();
    __syncthreads();
  }
  struct arrival_token {};
  static __device__ CUDALABS_INLINE arrival_token barrier_arrive() { return {}; }
  static __device__ CUDALABS_INLINE void barrier_wait(arrival_token&&) { sync(); }

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
  static __device__ CUDALABS_INLINE dim3 dim_blocks() { return group_dim(); }

 private:
  // The driver of a cooperative launch leaves the address of some zeroed memory in two registers of its own.
  static __device__ CUDALABS_INLINE unsigned long long workspace() {
    unsigned int high, low;
    asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned long long)high << 32 | low;
  }
  // The first block adds so much that the top bit changes exactly when all have arrived; the others add 1. So the
  // word needs no clearing between two barriers.
  static __device__ CUDALABS_INLINE void arrive_and_wait() {
    const unsigned long long word = workspace() + 4;
    const unsigned int others = (unsigned int)num_blocks() - 1;
    const unsigned int step = block_rank() == 0 ? 0x80000000u - others : 1u;
    unsigned int before, now;
    asm volatile("atom.global.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(step) : "memory");
    do {
      asm volatile("ld.global.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    } while (((before ^ now) & 0x80000000u) == 0);
  }
};
static __device__ CUDALABS_INLINE grid_group this_grid() {
  return {};
}

class thread_block {
 public:
  static __device__ CUDALABS_INLINE void sync() { __syncthreads(); }
  struct arrival_token {};
  static __device__ CUDALABS_INLINE arrival_token barrier_arrive() { return {}; }
  static __device__ CUDALABS_INLINE void barrier_wait(arrival_token&&) { __syncthreads(); }
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

/// Lanes of a warp that were active together when it was made, or a part of them.
class coalesced_group {
 public:
  __device__ CUDALABS_INLINE explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                                      unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  __device__ CUDALABS_INLINE void sync() const { __syncwarp(mask_); }
  __device__ CUDALABS_INLINE unsigned int num_threads() const { return (unsigned int)__popc((int)mask_); }
  __device__ CUDALABS_INLINE unsigned int size() const { return num_threads(); }
  __device__ CUDALABS_INLINE unsigned int thread_rank() const {
    return (unsigned int)__popc((int)(mask_ & cudalabs_groups::lower_lanes()));
  }
  __device__ CUDALABS_INLINE unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ CUDALABS_INLINE unsigned int meta_group_size() const { return meta_size_; }
  __device__ CUDALABS_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ CUDALABS_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ CUDALABS_INLINE unsigned int ballot(int predicate) const {
    return ranks_of(__ballot_sync(mask_, predicate));
  }
  template <class T>
  __device__ CUDALABS_INLINE unsigned int match_any(T value) const {
    return ranks_of(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ CUDALABS_INLINE unsigned int match_all(T value, int& predicate) const {
    return ranks_of(__match_all_sync(mask_, value, &predicate));
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl(T value, unsigned int rank) const {
    return cudalabs_groups::shuffle(mask_, value, lane_of(rank));
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return shfl(value, rank < delta ? rank : rank - delta);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return shfl(value, rank + delta < num_threads() ? rank + delta : rank);
  }

  __device__ CUDALABS_INLINE unsigned int cudalabs_mask() const { return mask_; }

 private:
  // The lane of the thread with this rank.
  __device__ CUDALABS_INLINE int lane_of(unsigned int rank) const {
    unsigned int lanes = mask_;  // drop the `rank` lowest; the next one is meant
    for (unsigned int i = 0; i < rank; ++i) lanes &= lanes - 1;
    return __ffs((int)lanes) - 1;
  }
  // Bit r: whether the thread with rank r is among `lanes`.
  __device__ CUDALABS_INLINE unsigned int ranks_of(unsigned int lanes) const {
    unsigned int ranks = 0, bit = 1;
    for (unsigned int left = mask_; left != 0; left &= left - 1, bit <<= 1) {
      if ((lanes & left & (0u - left)) != 0) ranks |= bit;
    }
    return ranks;
  }

  unsigned int mask_, meta_rank_, meta_size_;
};
static __device__ CUDALABS_INLINE coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned int Size, class Parent = void>
class thread_block_tile;

/// `Size` neighbouring lanes of a warp: 1, 2, 4, 8, 16 or 32.
template <unsigned int Size>
class thread_block_tile<Size, void> {
  static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ CUDALABS_INLINE void sync() const { __syncwarp(cudalabs_mask()); }
  static __device__ CUDALABS_INLINE unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  static __device__ CUDALABS_INLINE constexpr unsigned int num_threads() { return Size; }
  static __device__ CUDALABS_INLINE constexpr unsigned int size() { return Size; }
  __device__ CUDALABS_INLINE unsigned int meta_group_rank() const {
    return thread_block::thread_rank() % parent_threads_ / Size;
  }
  __device__ CUDALABS_INLINE unsigned int meta_group_size() const { return (parent_threads_ + Size - 1) / Size; }

  template <class T>
  __device__ CUDALABS_INLINE T shfl(T value, int rank) const {
    return cudalabs_groups::shuffle(cudalabs_mask(), value, rank, Size);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_up(T value, unsigned int delta) const {
    return cudalabs_groups::shuffle_up(cudalabs_mask(), value, delta, Size);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_down(T value, unsigned int delta) const {
    return cudalabs_groups::shuffle_down(cudalabs_mask(), value, delta, Size);
  }
  template <class T>
  __device__ CUDALABS_INLINE T shfl_xor(T value, int lane_mask) const {
    return cudalabs_groups::shuffle_xor(cudalabs_mask(), value, lane_mask, Size);
  }
  __device__ CUDALABS_INLINE int any(int predicate) const { return __any_sync(cudalabs_mask(), predicate); }
  __device__ CUDALABS_INLINE int all(int predicate) const { return __all_sync(cudalabs_mask(), predicate); }
  __device__ CUDALABS_INLINE unsigned int ballot(int predicate) const {
    return (__ballot_sync(cudalabs_mask(), predicate) & cudalabs_mask()) >> first_lane();
  }
  template <class T>
  __device__ CUDALABS_INLINE unsigned int match_any(T value) const {
    return (__match_any_sync(cudalabs_mask(), value) & cudalabs_mask()) >> first_lane();
  }
  template <class T>
  __device__ CUDALABS_INLINE unsigned int match_all(T value, int& predicate) const {
    return (__match_all_sync(cudalabs_mask(), value, &predicate) & cudalabs_mask()) >> first_lane();
  }

  static __device__ CUDALABS_INLINE unsigned int cudalabs_mask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1) << first_lane();
  }
  /// Of a group of this many threads.
  __device__ CUDALABS_INLINE explicit thread_block_tile(unsigned int parent_threads)
      : parent_threads_(parent_threads) {}

 private:
  static __device__ CUDALABS_INLINE unsigned int first_lane() { return thread_block::thread_rank() % 32 / Size * Size; }

  unsigned int parent_threads_;
};

/// The same, with the type of the group that it is a part of.
template <unsigned int Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  using thread_block_tile<Size, void>::thread_block_tile;
};

template <unsigned int Size, class Parent>
static __device__ CUDALABS_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent.num_threads());
}
static __device__ CUDALABS_INLINE thread_block_tile<1> this_thread() {
  return thread_block_tile<1>(1);
}

/// The threads of the group with the same label.
template <class Group, class Label>
static __device__ CUDALABS_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned int all = group.cudalabs_mask();
  const unsigned int alike = __match_any_sync(all, label) & all;
  const unsigned int first = alike & (0u - alike);
  const unsigned int firsts = __ballot_sync(all, (alike & cudalabs_groups::lower_lanes()) == 0) & all;
  return coalesced_group(alike, (unsigned int)__popc((int)(firsts & (first - 1))), (unsigned int)__popc((int)firsts));
}
template <class Group>
static __device__ CUDALABS_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  return labeled_partition(group, (int)predicate);
}

/// A block, a tile or coalesced threads, whichever it was made of.
class thread_group {
 public:
  __device__ CUDALABS_INLINE thread_group(const thread_block&) {}
  __device__ CUDALABS_INLINE thread_group(const coalesced_group& group) : mask_(group.cudalabs_mask()) {}
  template <unsigned int Size, class Parent>
  __device__ CUDALABS_INLINE thread_group(const thread_block_tile<Size, Parent>& tile) : mask_(tile.cudalabs_mask()) {}
  __device__ CUDALABS_INLINE void sync() const {
    if (mask_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  __device__ CUDALABS_INLINE unsigned long long num_threads() const {
    return mask_ == 0 ? thread_block::num_threads() : (unsigned int)__popc((int)mask_);
  }
  __device__ CUDALABS_INLINE unsigned long long size() const { return num_threads(); }
  __device__ CUDALABS_INLINE unsigned long long thread_rank() const {
    return mask_ == 0 ? thread_block::thread_rank()
                      : (unsigned int)__popc((int)(mask_ & cudalabs_groups::lower_lanes()));
  }

 private:
  unsigned int mask_ = 0;  // 0: the block
};
static __device__ CUDALABS_INLINE thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  const unsigned int rank = (unsigned int)parent.thread_rank();
  const unsigned int members = size >= 32 ? 0xffffffffu : (1u << size) - 1;
  const unsigned int lane = thread_block::thread_rank() % 32;
  return coalesced_group(members << (lane - rank % size));
}

/// One thread of the group makes the call.
template <class Group, class Function, class... Arguments>
static __device__ CUDALABS_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
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
