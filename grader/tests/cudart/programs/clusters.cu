// Clusters of blocks, for devices of compute capability 9.0: what they are for, and with an argument the mistakes that
// people make with them. Compiled by nvcc with -arch=compute_90.
#include <cooperative_groups.h>

#include <utility>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

// The bins of a histogram are spread over the blocks of a cluster, which count in each other's shared memory.
enum class Mistake {
  none,
  first_barrier,
  second_barrier,
  last_barrier,
  rank_off_by_one,
  no_zeros,
  early_return,
  arrive_twice,
  wait_only,
  relaxed,
  narrow_flag
};

constexpr int kBins = 64, kThreads = 64, kBlocks = 4, kValues = 1 << 10;

__global__ void __cluster_dims__(kBlocks, 1, 1) histogram(const int* values, int* bins, Mistake mistake) {
  extern __shared__ int own[];
  cg::cluster_group cluster = cg::this_cluster();
  const int each = kBins / cluster.num_blocks();
  if (mistake != Mistake::no_zeros && threadIdx.x < each) own[threadIdx.x] = 0;  // zeros
  if (mistake != Mistake::first_barrier) cluster.sync();
  for (unsigned i = cluster.thread_rank(); i < kValues; i += cluster.num_threads()) {
    const int bin = values[i];
    unsigned rank = bin / each;
    if (mistake == Mistake::rank_off_by_one) ++rank;
    int* counts = cluster.map_shared_rank(own, rank);
    atomicAdd(&counts[bin % each], 1);  // counts
  }
  if (mistake == Mistake::early_return && cluster.block_rank() == 1) return;                              // leaves
  if (mistake != Mistake::second_barrier) cluster.sync();                                                 // all counted
  if (threadIdx.x < each) atomicAdd(&bins[cluster.block_rank() * each + threadIdx.x], own[threadIdx.x]);  // reads
}

// Each block sums up its part, and the first one the blocks' sums.
__global__ void reduce(const int* values, int* sums, Mistake mistake) {
  __shared__ int parts[32];
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  int part = 0;
  for (unsigned i = cluster.thread_rank(); i < kValues; i += cluster.num_threads()) part += values[i];
  part = __reduce_add_sync(~0u, part);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;                                                         // first
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += parts[w];  // sum of the block
  }
  if (mistake != Mistake::first_barrier) cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int total = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) total += *cluster.map_shared_rank(&sum, rank);  // sums
    sums[blockIdx.x / cluster.num_blocks()] = total;
  }
  if (mistake != Mistake::last_barrier) cluster.sync();
}

// A value goes round, by the two halves of the barrier.
__global__ void __cluster_dims__(2, 2, 1) ring(int* out, Mistake mistake) {
  __shared__ int box[2][kThreads];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  int value = rank * 1000 + threadIdx.x;
  cluster.sync();
  for (unsigned round = 0; round < blocks; ++round) {
    cluster.map_shared_rank(box[round % 2], (rank + 1) % blocks)[threadIdx.x] = value;  // hands on
    if (mistake == Mistake::relaxed) {
      asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
      asm volatile("barrier.cluster.wait;" ::: "memory");
    } else if (mistake == Mistake::wait_only) {
      asm volatile("barrier.cluster.wait;" ::: "memory");  // waits alone
    } else {
      cg::cluster_group::arrival_token token = cluster.barrier_arrive();
      if (mistake == Mistake::arrive_twice) token = cluster.barrier_arrive();  // again
      cluster.barrier_wait(std::move(token));
    }
    value = box[round % 2][threadIdx.x] + 1;  // takes
  }
  cluster.sync();
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  out[block * kThreads + threadIdx.x] = value;
}

// A flag in the other block's shared memory says that data is there.
__global__ void __cluster_dims__(2, 1, 1) hand_over(int* out, Mistake mistake) {
  __shared__ int data, flag;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) flag = 0;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    *cluster.map_shared_rank(&data, 1) = 42;  // data
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(cluster.map_shared_rank(&flag, 1)));
    if (mistake == Mistake::narrow_flag) {
      asm volatile("st.release.cta.shared::cluster.u32 [%0], 1;" ::"r"(to) : "memory");
    } else {
      asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(to) : "memory");
    }
  }
  if (cluster.block_rank() == 1 && threadIdx.x == 0) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(&flag));
    unsigned seen = 0;
    while (seen == 0) asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(from) : "memory");
    out[blockIdx.x / 2] = data;  // uses
  }
  cluster.sync();
}

__global__ void who(unsigned* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned* mine = out + 8 * block;
  if (threadIdx.x != 0) return;
  mine[0] = cluster.block_rank();
  mine[1] = cluster.num_blocks();
  mine[2] = cluster.block_index().x + 10 * cluster.block_index().y + 100 * cluster.block_index().z;
  mine[3] = cluster.dim_blocks().x + 10 * cluster.dim_blocks().y + 100 * cluster.dim_blocks().z;
  mine[4] = cg::this_grid().cluster_rank();
  mine[5] = __clusterDimIsSpecified();
  mine[6] = cluster.dim_threads().x;
  mine[7] = cluster.num_threads();
}

static cudaError_t launch_clusters(void (*kernel)(unsigned*), dim3 grid, dim3 cluster, unsigned* out) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, out);  // refused
}

static void configurations() {
  unsigned* out = nullptr;
  CHECK(cudaMalloc(&out, 8 * 64 * sizeof *out));
  unsigned seen[8 * 32];
  CHECK(launch_clusters(who, dim3(4, 4, 2), dim3(2, 2, 2), out));
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDefault));
  bool right = true;
  for (unsigned block = 0; block < 32; ++block) {
    const unsigned x = block % 4, y = block / 4 % 4, z = block / 16;
    const unsigned expected[8] = {
        x % 2 + 2 * (y % 2) + 4 * z, 8, x % 2 + 10 * (y % 2) + 100 * z, 222, x / 2 + 2 * (y / 2), 1, 64, 256};
    for (int i = 0; i < 8; ++i) right = right && seen[8 * block + i] == expected[i];
  }
  expect(right, "blocks know their clusters");
  expect(launch_clusters(who, 6, 4, out) == cudaErrorInvalidClusterSize, "a grid that is no multiple");
  expect(launch_clusters(who, 16, 16, out) == cudaErrorInvalidClusterSize, "sixteen blocks");
  int clusters = 0, blocks = 0;
  cudaLaunchConfig_t config{};
  config.gridDim = 16;
  config.blockDim = 256;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, who, &config));
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, who, &config));
  expect(blocks == 8 && clusters == 0, "without a cluster");
  CHECK(cudaFuncSetAttribute(who, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(launch_clusters(who, 16, 16, out));
  expect(launch_clusters(who, 17, 17, out) == cudaErrorInvalidClusterSize, "seventeen blocks");
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, who, &config));
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, who, &config));
  expect(blocks == 16 && clusters == 528, "pairs of blocks");
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, histogram));
  expect(attributes.clusterDimMustBeSet == 1 && attributes.requiredClusterWidth == kBlocks &&
             attributes.requiredClusterHeight == 1,
         "attributes of a kernel");
  expect(cudaOccupancyMaxActiveClusters(&clusters, histogram, &config) == cudaErrorInvalidClusterSize, "another size");
  int launches = 0;
  CHECK(cudaDeviceGetAttribute(&launches, cudaDevAttrClusterLaunch, 0));
  expect(launches == 1, "the device has clusters");
  cudaGetLastError();
  CHECK(cudaFree(out));
}

int main(int argc, char** argv) {
  const Mistake mistake = argc > 2 ? static_cast<Mistake>(std::atoi(argv[2])) : Mistake::none;
  const char only = argc > 1 ? argv[1][0] : 'a';
  std::vector<int> values(kValues);
  for (int i = 0; i < kValues; ++i) values[i] = i * 7 % kBins;
  int *device = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&device, kValues * sizeof(int)));
  CHECK(cudaMalloc(&out, 8 * kThreads * sizeof(int)));
  CHECK(cudaMemcpy(device, values.data(), kValues * sizeof(int), cudaMemcpyDefault));
  int result[8 * kThreads];
  const auto finish = [&](size_t words) {
    const cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) CHECK(cudaMemcpy(result, out, words * sizeof(int), cudaMemcpyDefault));
    if (status != cudaSuccess) std::printf("%s\n", cudaGetErrorName(status));
  };
  if (only == 'a' || only == 'h') {
    CHECK(cudaMemset(out, 0, kBins * sizeof(int)));
    histogram<<<kBlocks, kThreads, kBins / kBlocks * sizeof(int)>>>(device, out, mistake);
    finish(kBins);
    bool right = true;
    for (int bin = 0; bin < kBins; ++bin) right = right && result[bin] == kValues / kBins;
    if (mistake == Mistake::none) expect(right, "a histogram");
  }
  if (only == 'a' || only == 's') {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 8;
    config.blockDim = kThreads;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, reduce, static_cast<const int*>(device), out, mistake));
    finish(2);
    int sum = 0;
    for (const int value : values) sum += value;
    if (mistake == Mistake::none) expect(result[0] == sum && result[1] == sum, "a sum");
  }
  if (only == 'a' || only == 'r') {
    ring<<<dim3(2, 4), kThreads>>>(out, mistake);
    finish(8 * kThreads);
    bool right = true;
    for (int block = 0; block < 8; ++block) {
      const int rank = block % 4;  // two columns, and two rows of each cluster
      for (int t = 0; t < kThreads; ++t) right = right && result[block * kThreads + t] == rank * 1000 + t + 4;
    }
    if (mistake == Mistake::none) expect(right, "a ring");
  }
  if (only == 'a' || only == 'f') {
    hand_over<<<4, 32>>>(out, mistake);
    finish(2);
    if (mistake == Mistake::none) expect(result[0] == 42 && result[1] == 42, "a flag");
  }
  if (only == 'c') configurations();
  cudaFree(device);
  cudaFree(out);
}
