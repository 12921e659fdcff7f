// Bulk asynchronous copies of compute capability 9.0, by the toolkit's own headers: what they are for, and with an
// argument the mistakes that people make with them. Compiled by nvcc with -arch=compute_90.
//
// Why each of them is one: a copy in bulk goes on beside the thread that begins it. What it writes to shared memory is
// there for who has waited at its barrier, for the phase that its bytes were announced in. What it reads may be written
// again when its thread has waited for its group to have read, and others know of that. And it reads shared memory by
// another proxy than the stores of threads: each of these needs a proxy fence behind it.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

enum class Mistake { none, fence, wait, bytes_low, bytes_high, misaligned, reused, phase, no_read_wait, size };

constexpr int kThreads = 128, kTiles = 4, kTile = 128, kValues = kTiles * kTile, kCluster = 4;

// One tile comes in while the threads work on the one before, which goes out again.
__global__ void double_buffered(const int* in, int* out, Mistake mistake) {
  __shared__ alignas(128) int tile[2][kTile + 4];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ uint64_t bars[2];
  const int t = threadIdx.x;
  if (t == 0) {
    for (uint64_t& bar : bars) ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  const auto fetch = [&](int i) {
    uint32_t bytes = kTile * sizeof(int);
    int* to = tile[i % 2] + (mistake == Mistake::misaligned && i == 1 ? 1 : 0);
    uint32_t announced = bytes;
    if (mistake == Mistake::bytes_low) announced -= 16;
    if (mistake == Mistake::bytes_high) announced += 16;
    if (mistake == Mistake::size && i == 1) bytes -= 8;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bars[i % 2], announced);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, in + i * kTile, bytes, &bars[i % 2]);  // fetches
  };
  if (t == 0) fetch(0);
  for (int i = 0; i < kTiles; ++i) {
    if (t == 0 && i + 1 < kTiles) {
      if (mistake != Mistake::reused) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
      fetch(i + 1);
    }
    const uint32_t parity = mistake == Mistake::phase ? 1 : i / 2 % 2;
    if (mistake != Mistake::wait)
      while (!ptx::mbarrier_try_wait_parity(&bars[i % 2], parity)) {}  // waits
    tile[i % 2][t] = tile[i % 2][t] * 2 + 1;  // works
    if (mistake != Mistake::fence) ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * kTile, tile[i % 2], kTile * sizeof(int));  // out
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (t == 0 && mistake != Mistake::no_read_wait) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

// Each block adds its part to one sum of all blocks.
__global__ void reduced(int* sums, Mistake mistake) {
  __shared__ alignas(16) int part[kTile];
  part[threadIdx.x] = threadIdx.x + blockIdx.x;  // part
  if (mistake != Mistake::fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sums, part, sizeof part);  // adds
    ptx::cp_async_bulk_commit_group();
    if (mistake != Mistake::wait) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  if (mistake == Mistake::reused) part[threadIdx.x] = 0;  // zeros
}

// The language's own copies: a token of the barrier, and the bytes with it.
__global__ void by_barrier(const int* in, int* out, Mistake mistake) {
  __shared__ alignas(16) int tile[kTile];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, mistake == Mistake::bytes_low ? 16 : sizeof tile);
  } else {
    token = bar.arrive();
  }
  if (mistake != Mistake::wait) bar.wait(std::move(token));
  out[threadIdx.x] = tile[kTile - 1 - threadIdx.x];  // reversed
}

__global__ void by_memcpy_async(const int* in, int* out) {
  __shared__ alignas(16) int tile[kTile];
  __shared__ Barrier bar;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[kTile - 1 - threadIdx.x];
}

// Block 0 of a cluster fetches a tile for all of them, and each hands its own to the next one.
__global__ void __cluster_dims__(kCluster, 1, 1) multicast(const int* in, int* out, Mistake mistake) {
  __shared__ alignas(128) int tile[kTile], next[kTile];
  __shared__ uint64_t bar, handed;
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  if (t == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::mbarrier_init(&handed, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof tile);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &handed, sizeof next);
  }
  cluster.sync();
  if (t == 0 && rank == 0)
    asm volatile(  // the wrapper wants sm_90a
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
            "r"(static_cast<uint32_t>(__cvta_generic_to_shared(tile))),
        "l"(in), "r"(static_cast<uint32_t>(sizeof tile)), "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&bar))),
        "h"(static_cast<uint16_t>((1 << kCluster) - 1))
        : "memory");
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {}
  tile[t] += rank;  // own
  if (mistake != Mistake::fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    const unsigned other = (rank + 1) % kCluster;
    int* const to = cluster.map_shared_rank(next, other);
    uint64_t* const bar_there = cluster.map_shared_rank(&handed, other);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, to, tile, sizeof tile, bar_there);  // hands on
  }
  if (mistake != Mistake::wait)
    while (!ptx::mbarrier_try_wait_parity(&handed, 0)) {}
  out[rank * kTile + t] = next[t];  // taken
  cluster.sync();
}

// One warp of each block of a pair fetches for both blocks, half of each tile; the others add up. A buffer is full when
// all its bytes have come, and empty when the threads that add up in both blocks have said so.
constexpr int kStages = 2, kAdding = 96, kHalf = kTile / 2;

__global__ void __cluster_dims__(2, 1, 1) pipelined(const int* in, int* out, Mistake mistake) {
  __shared__ alignas(128) int tile[kStages][kTile];
  __shared__ uint64_t full[kStages], empty[kStages];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 2 * kAdding);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  if (t == kAdding) {
    for (int i = 0; i < kTiles; ++i) {
      const int s = i % kStages;
      const uint32_t parity = (i / kStages + 1) % 2;
      if (mistake != Mistake::reused)
        while (!ptx::mbarrier_try_wait_parity(&empty[s], parity)) {}
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], sizeof tile[s]);
      const int* from = in + i * kTile + rank * kHalf;
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
              "r"(static_cast<uint32_t>(__cvta_generic_to_shared(tile[s] + rank * kHalf))),
          "l"(from), "r"(static_cast<uint32_t>(kHalf * sizeof(int))),
          "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&full[s]))), "h"(static_cast<uint16_t>(3))
          : "memory");  // refills
    }
  } else if (t < kAdding) {
    int sum = 0;
    for (int i = 0; i < kTiles; ++i) {
      const int s = i % kStages;
      while (!ptx::mbarrier_try_wait_parity(&full[s], i / kStages % 2)) {}
      sum += tile[s][(t + rank) % kTile];  // sums
      for (unsigned other = 0; other < 2; ++other)
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             cluster.map_shared_rank(&empty[s], other));
    }
    out[rank * kTile + t] = sum;
  }
  cluster.sync();
}

int main(int argc, char** argv) {
  const char only = argc > 1 ? argv[1][0] : 'a';
  const Mistake mistake = argc > 2 ? static_cast<Mistake>(std::atoi(argv[2])) : Mistake::none;
  std::vector<int> values(kValues), result(kValues);
  for (int i = 0; i < kValues; ++i) values[i] = i * 7 % 1001;
  int *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, kValues * sizeof(int)));
  CHECK(cudaMalloc(&out, kValues * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), kValues * sizeof(int), cudaMemcpyDefault));
  const auto finish = [&](const char* what, auto expected, int count) {
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
      std::printf("%s\n", cudaGetErrorName(status));
      return;
    }
    CHECK(cudaMemcpy(result.data(), out, count * sizeof(int), cudaMemcpyDefault));
    bool right = true;
    for (int i = 0; i < count; ++i) right = right && result[i] == expected(i);
    if (mistake == Mistake::none) expect(right, what);
  };
  if (only == 'a' || only == 'd') {
    double_buffered<<<1, kThreads>>>(in, out, mistake);
    finish("two buffers", [&](int i) { return values[i] * 2 + 1; }, kValues);
  }
  if (only == 'a' || only == 'r') {
    CHECK(cudaMemset(out, 0, kTile * sizeof(int)));
    reduced<<<3, kThreads>>>(out, mistake);
    finish("a sum", [](int i) { return 3 * i + 3; }, kTile);
  }
  if (only == 'a' || only == 'b') {
    by_barrier<<<1, kThreads>>>(in, out, mistake);
    finish("a token", [&](int i) { return values[kTile - 1 - i]; }, kTile);
  }
  if (only == 'a' || only == 'm') {
    by_memcpy_async<<<1, kThreads>>>(in, out);
    finish("by memcpy_async", [&](int i) { return values[kTile - 1 - i]; }, kTile);
  }
  if (only == 'a' || only == 'c') {
    multicast<<<kCluster, kThreads>>>(in, out, mistake);
    finish("a cluster", [&](int i) { return values[i % kTile] + (i / kTile + kCluster - 1) % kCluster; }, kValues);
  }
  if (only == 'a' || only == 'p') {
    CHECK(cudaMemset(out, 0, 2 * kTile * sizeof(int)));
    pipelined<<<2, kThreads>>>(in, out, mistake);
    const auto sum = [&](int i) {
      int all = 0;
      for (int tile = 0; tile < kTiles; ++tile) all += values[tile * kTile + (i % kTile + i / kTile) % kTile];
      return i % kTile < kAdding ? all : 0;
    };
    finish("a pipeline", sum, 2 * kTile);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
