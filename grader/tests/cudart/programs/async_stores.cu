// Asynchronous stores and reductions into the shared memory of other blocks (`st.async`, `red.async`), by the toolkit's
// own headers: what they are for, and with an argument the mistakes that people make with them. Compiled by nvcc with
// -arch=compute_90.
//
// Why each of them is one: the store goes on beside its thread, and nothing but the barrier that it tells says that it
// is done. So the block that it goes to reads when it has waited at its own barrier for that phase (`wait`, `phase`,
// `early`), which has to expect as many bytes as come (`bytes_low`, `bytes_high`); what is there may be overwritten
// when all its readers have said so, to the threads that store next (`reused`). That the barrier of the cluster comes
// after the store says nothing of it: without a wait its target may be gone (`gone`). Reductions are in order with one
// another, and with nothing else (`unset`, `mixed`). And the barrier of the sender is not that of the receiver
// (`own_barrier`).
#include <cooperative_groups.h>
#include <cuda/ptx>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum class Mistake {
  none,
  wait,
  bytes_low,
  bytes_high,
  phase,
  reused,
  early,
  gone,
  unset,
  mixed,
  misaligned,
  own_barrier
};

constexpr int kThreads = 64, kCluster = 4, kRounds = 5, kBlocks = 2 * kCluster, kValues = kBlocks * kThreads;

__device__ void wait_for(uint64_t* bar, uint32_t parity) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, parity)) {
  }
}

// Rows of numbers go round: in each round a block hands what it has to the next one, and adds what it gets.
__global__ void __cluster_dims__(kCluster, 1, 1) ring(int* out, Mistake mistake) {
  __shared__ int box[2][kThreads];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ uint64_t full[2], empty[2];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x, next = (rank + 1) % kCluster,
                 before = (rank + kCluster - 1) % kCluster;
  uint32_t bytes = sizeof box[0];
  if (mistake == Mistake::bytes_low) bytes -= 2;
  if (mistake == Mistake::bytes_high) bytes += 4;
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], kThreads);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i], bytes);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  if (mistake != Mistake::early) cluster.sync();
  int value = blockIdx.x * 1000 + t, sum = value;
  for (int round = 0; round < kRounds; ++round) {
    const int i = round % 2;
    const uint32_t parity = round / 2 % 2;
    if (mistake != Mistake::reused && round >= 2) wait_for(&empty[i], parity ^ 1);  // of the next block
    uint64_t* const told = mistake == Mistake::own_barrier ? &full[i] : cluster.map_shared_rank(&full[i], next);
    ptx::st_async(cluster.map_shared_rank(&box[i][t], next), value, told);                              // sends
    if (mistake != Mistake::wait) wait_for(&full[i], mistake == Mistake::phase ? parity ^ 1 : parity);  // waits
    value = box[i][t];                                                                                  // takes
    if (t == 0) ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i], bytes);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&empty[i], before));
    sum += value;
  }
  out[blockIdx.x * kThreads + t] = sum;
  cluster.sync();
}

// All threads of a cluster count in the histogram of block 0, which is done when all of them have.
__global__ void __cluster_dims__(kCluster, 1, 1) histogram(int* out, Mistake mistake) {
  constexpr int kBins = 8;
  __shared__ unsigned bins[kBins];
  __shared__ uint64_t total;
  __shared__ uint64_t done;
  const auto cluster = cg::this_cluster();
  const unsigned t = threadIdx.x, rank = cluster.block_rank(), number = rank * kThreads + t;
  if (t < kBins && mistake != Mistake::unset) bins[t] = 0;
  if (t == 0) {
    total = 5;
    ptx::mbarrier_init(&done, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    constexpr uint32_t kEach = sizeof bins[0] + sizeof total;
    if (rank == 0)
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &done,
                                     kCluster * kThreads * kEach);
  }
  cluster.sync();
  uint64_t* const told = cluster.map_shared_rank(&done, 0);
  unsigned* const bin = cluster.map_shared_rank(&bins[number * number % kBins], 0);
  ptx::red_async(ptx::op_add, bin, 1u, told);  // counts
  ptx::red_async(ptx::op_add, cluster.map_shared_rank(&total, 0), uint64_t{number}, told);
  if (mistake == Mistake::mixed && number == 77) *bin = 1;  // mixes
  if (rank == 0 && mistake != Mistake::gone) {
    if (mistake != Mistake::wait) wait_for(&done, 0);
    if (t < kBins) out[blockIdx.x / kCluster * (kBins + 1) + t] = bins[t];  // shows
    if (t == kBins) out[blockIdx.x / kCluster * (kBins + 1) + t] = static_cast<int>(total);
  }
  if (mistake != Mistake::gone) cluster.sync();
}

// Rows of four numbers at once, from each block to the one that has its number turned round.
__global__ void __cluster_dims__(kCluster, 1, 1) rows(int* out, Mistake mistake) {
  __shared__ alignas(16) int box[kThreads * 4 + 4];
  __shared__ uint64_t full;
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x, other = kCluster - 1 - rank;
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, kThreads * 16);
  }
  cluster.sync();
  const int first = static_cast<int>(blockIdx.x * kThreads + t) * 4;
  int* const to = cluster.map_shared_rank(box, other) + 4 * t + (mistake == Mistake::misaligned ? 2 : 0);
  ptx::st_async(to, {first, first + 1, first + 2, first + 3}, cluster.map_shared_rank(&full, other));  // a row
  if (mistake != Mistake::wait) wait_for(&full, 0);
  out[blockIdx.x * kThreads + t] = box[(t * 7 + 3) % (kThreads * 4)];  // one of them
  cluster.sync();
}

int main(int argc, char** argv) {
  const char only = argc > 1 ? argv[1][0] : 'a';
  const Mistake mistake = argc > 2 ? static_cast<Mistake>(std::atoi(argv[2])) : Mistake::none;
  int* out = nullptr;
  std::vector<int> result(kValues);
  CHECK(cudaMalloc(&out, kValues * sizeof(int)));
  CHECK(cudaMemset(out, 0, kValues * sizeof(int)));
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
  if (only == 'a' || only == 'r') {
    ring<<<kBlocks, kThreads>>>(out, mistake);
    const auto sum = [](int i) {
      const int block = i / kThreads, first = block / kCluster * kCluster;
      int all = 0;
      for (int round = 0; round <= kRounds; ++round)
        all += (first + (block - first + 2 * kCluster - round) % kCluster) * 1000 + i % kThreads;
      return all;
    };
    finish("a ring", sum, kValues);
  }
  if (only == 'a' || only == 'h') {
    histogram<<<kBlocks, kThreads>>>(out, mistake);
    const auto counted = [](int i) {
      int in_bin = 0, total = 5;
      for (int number = 0; number < kCluster * kThreads; ++number) {
        in_bin += number * number % 8 == i % 9;
        total += number;
      }
      return i % 9 == 8 ? total : in_bin;
    };
    finish("a histogram", counted, kBlocks / kCluster * 9);
  }
  if (only == 'a' || only == 'v') {
    rows<<<kBlocks, kThreads>>>(out, mistake);
    const auto taken = [](int i) {
      const int block = i / kThreads, first = block / kCluster * kCluster;
      const int sender = first + kCluster - 1 - (block - first);
      return sender * kThreads * 4 + (i % kThreads * 7 + 3) % (kThreads * 4);
    };
    finish("rows", taken, kValues);
  }
  CHECK(cudaFree(out));
}
