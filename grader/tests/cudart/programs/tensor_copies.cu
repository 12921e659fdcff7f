// Copies of boxes of tensors, of compute capability 9.0, by the toolkit's own headers: what they are for, and with an
// argument the mistakes that people make with them. Compiled by nvcc with -arch=compute_90 and -lcuda.
//
// Why each of them is one: all that is said in bulk_copies.cu holds here, too. Besides, a barrier is told of the bytes
// of the whole box, also where a part of it is outside of the tensor, so that who announces less waits for ever. A box
// begins at a multiple of 128 bytes of shared memory. The copy goes by 128 bytes that `cuTensorMapEncodeTiled` has
// filled in: those of an encoder that has failed are no map, and a map in a thread's local memory, as a parameter
// without `__grid_constant__` is when its address is taken, the copy cannot read. And what the map says of sizes the
// copy believes: it reads and writes behind the end of the allocation, or in memory that was freed.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>

#include <cstring>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum class Mistake {
  none, fence, wait, bytes_inside, misaligned, reused, no_read_wait, local_map, empty_map, too_large, freed, rank, map_of_host
};

constexpr int kThreads = 128, kCluster = 4;
constexpr int kColumns = 72, kRows = 40;       // of a matrix whose last tiles stick out
constexpr int kWide = 32, kHigh = 16;          // of a tile
constexpr uint32_t kTileBytes = kWide * kHigh * sizeof(int);

__constant__ CUtensorMap map_of_constant;

__device__ void begin_barrier(uint64_t* bar) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
}

__device__ void announce(uint64_t* bar, uint32_t bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ void wait_at(uint64_t* bar) {
  while (!ptx::mbarrier_try_wait_parity(bar, 0)) {}  // waits
}

// A tile comes in, each element is changed, and the tile goes out. Of the tiles at the edges only a part is there.
__device__ void scale_tile(const CUtensorMap* in, const CUtensorMap* out, Mistake mistake) {
  __shared__ alignas(128) int tile[kWide * kHigh + 32];
  __shared__ uint64_t bar;
  begin_barrier(&bar);
  __syncthreads();
  int* const box = tile + (mistake == Mistake::misaligned ? 4 : 0);
  const int32_t at[2] = {static_cast<int32_t>(blockIdx.x * kWide), static_cast<int32_t>(blockIdx.y * kHigh)};
  if (threadIdx.x == 0) {
    uint32_t bytes = kTileBytes;
    if (mistake == Mistake::bytes_inside) bytes = min(kWide, kColumns - at[0]) * min(kHigh, kRows - at[1]) * sizeof(int);
    announce(&bar, bytes);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, in, at, &bar);  // fetches
  }
  if (mistake != Mistake::wait) wait_at(&bar);
  for (int i = threadIdx.x; i < kWide * kHigh; i += blockDim.x) box[i] = box[i] * 2 + 1;  // scales
  if (mistake != Mistake::fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, out, at, box);  // out
    ptx::cp_async_bulk_commit_group();
    if (mistake != Mistake::no_read_wait && mistake != Mistake::reused)
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  if (mistake == Mistake::reused) {
    __syncthreads();
    box[threadIdx.x] = 0;  // zeros
  }
}

__global__ void scaled(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out,
                       Mistake mistake) {
  scale_tile(&in, &out, mistake);
}

__global__ void scaled_by_copies(CUtensorMap in, CUtensorMap out, Mistake mistake) {
  scale_tile(&in, &out, mistake);
}

__global__ void scaled_by_pointers(const CUtensorMap* maps, Mistake mistake) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(maps) : "memory");
  asm volatile("prefetch.tensormap [%0];" ::"l"(maps + 1) : "memory");
  scale_tile(maps, maps + 1, mistake);
}

__global__ void scaled_by_constant(const __grid_constant__ CUtensorMap out) {
  scale_tile(&map_of_constant, &out, Mistake::none);
}

// Tiles of 32 x 32 words, swizzled in rows of 128 bytes, so that neither rows nor columns meet in one bank. Element
// (row, column) is in the unit of 16 bytes whose number differs from column / 4 by the lowest three bits of the row.
constexpr int kSide = 32, kTransposed = 64;

__device__ int swizzled_place(int row, int column) {
  return row * kSide + ((column / 4 ^ row % 8) * 4 + column % 4);
}

__global__ void transposed(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out,
                           Mistake mistake) {
  __shared__ alignas(1024) int tile[kSide * kSide], turned[kSide * kSide];
  __shared__ uint64_t bar;
  begin_barrier(&bar);
  __syncthreads();
  const int32_t from[2] = {static_cast<int32_t>(blockIdx.x * kSide), static_cast<int32_t>(blockIdx.y * kSide)};
  const int32_t to[2] = {from[1], from[0]};
  if (threadIdx.x == 0) {
    announce(&bar, sizeof tile);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &in, from, &bar);  // fetches a square
  }
  if (mistake != Mistake::wait) wait_at(&bar);
  for (int i = threadIdx.x; i < kSide * kSide; i += blockDim.x)
    turned[swizzled_place(i / kSide, i % kSide)] = tile[swizzled_place(i % kSide, i / kSide)];  // turns
  if (mistake != Mistake::fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, to, turned);  // puts back
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Each block adds a tile of its own to the same place, which sticks out on all sides of a tensor of 24 x 8.
__global__ void added(const __grid_constant__ CUtensorMap sums, Mistake mistake) {
  __shared__ alignas(128) int part[kWide * kHigh];
  for (int i = threadIdx.x; i < kWide * kHigh; i += blockDim.x) part[i] = i + blockIdx.x;  // part
  if (mistake != Mistake::fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[2] = {-4, -4};
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &sums, at, part);  // adds
    ptx::cp_async_bulk_commit_group();
    if (mistake != Mistake::no_read_wait) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Block 0 of a cluster fetches a tile for all of them.
__global__ void __cluster_dims__(kCluster, 1, 1)
    multicast(const __grid_constant__ CUtensorMap in, int* out, Mistake mistake) {
  __shared__ alignas(128) int tile[kWide * kHigh];
  __shared__ uint64_t bar;
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  begin_barrier(&bar);
  if (threadIdx.x == 0) announce(&bar, sizeof tile);
  cluster.sync();
  if (threadIdx.x == 0 && rank == 0)
    asm volatile(  // the wrapper wants sm_90a
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%2, %3}], [%4], %5;" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(tile))),
        "l"(&in), "r"(kWide), "r"(0), "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&bar))),
        "h"(static_cast<uint16_t>((1 << kCluster) - 1))
        : "memory");  // for all
  if (mistake != Mistake::wait) wait_at(&bar);
  if (threadIdx.x < kWide) out[rank * kWide + threadIdx.x] = tile[rank * kWide + threadIdx.x];  // takes
  cluster.sync();
}

// A box of 4 x 3 x 2 whose rows are every second one of the tensor, and begins outside.
__global__ void volume(const __grid_constant__ CUtensorMap in, int* out, Mistake mistake) {
  __shared__ alignas(128) int box[24];
  __shared__ uint64_t bar;
  begin_barrier(&bar);
  __syncthreads();
  if (threadIdx.x == 0) {
    announce(&bar, sizeof box);
    const int32_t at[3] = {2, -1, 3}, in_plane[2] = {2, -1};
    if (mistake == Mistake::rank) {
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &in, in_plane, &bar);  // of a plane
    } else {
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &in, at, &bar);
    }
  }
  wait_at(&bar);
  if (threadIdx.x < 24) out[threadIdx.x] = box[threadIdx.x];
}

using Encode = decltype(&cuTensorMapEncodeTiled);

Encode encoder() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
  void* other = nullptr;
  CUdriverProcAddressQueryResult answer;
  cuGetProcAddress("cuTensorMapEncodeTiled", &other, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &answer);
  expect(found != nullptr && result == cudaDriverEntryPointSuccess && other != nullptr, "an entry point");
  return reinterpret_cast<Encode>(found);
}

CUtensorMap map_of(Encode encode, int* address, std::vector<cuuint64_t> extents, std::vector<cuuint64_t> strides,
                   std::vector<cuuint32_t> box, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
                   std::vector<cuuint32_t> steps = {1, 1, 1}) {
  CUtensorMap map{};
  if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, static_cast<cuuint32_t>(extents.size()), address, extents.data(),
             strides.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
             CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    std::printf("no map\n");
  return map;
}

int main(int argc, char** argv) {
  const char only = argc > 1 ? argv[1][0] : 'a';
  const Mistake mistake = argc > 2 ? static_cast<Mistake>(std::atoi(argv[2])) : Mistake::none;
  constexpr int kValues = kTransposed * kTransposed;
  std::vector<int> values(kValues), result(kValues);
  for (int i = 0; i < kValues; ++i) values[i] = i * 7 % 1001;
  int *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, kValues * sizeof(int)));
  CHECK(cudaMalloc(&out, kValues * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), kValues * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemset(out, 0, kValues * sizeof(int)));
  const Encode encode = encoder();
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
    CHECK(cudaMemset(out, 0, kValues * sizeof(int)));
  };
  const auto is = [&](char which) { return only == 'a' || only == which; };

  const dim3 tiles((kColumns + kWide - 1) / kWide, (kRows + kHigh - 1) / kHigh);
  const cuuint64_t pitch = kColumns * sizeof(int);
  const cuuint64_t rows = mistake == Mistake::too_large ? kRows * 2 : kRows;
  CUtensorMap to = map_of(encode, out, {kColumns, kRows}, {pitch}, {kWide, kHigh});
  CUtensorMap from = map_of(encode, in, {kColumns, kRows}, {pitch}, {kWide, kHigh});
  const auto scaled_value = [&](int i) { return i < kColumns * kRows ? values[i] * 2 + 1 : 0; };
  if (is('s') && mistake != Mistake::local_map) {
    if (mistake == Mistake::empty_map) from = CUtensorMap{};
    scaled<<<tiles, kThreads>>>(from, to, mistake);
    finish("tiles", scaled_value, kValues);
  }
  if (is('s') && mistake == Mistake::local_map) {
    scaled_by_copies<<<1, kThreads>>>(from, to, mistake);
    finish("", scaled_value, kValues);
  }
  if (is('m')) {  // maps that are not parameters
    int* small = nullptr;
    CHECK(cudaMalloc(&small, kColumns * kRows * sizeof(int)));
    CHECK(cudaMemcpy(small, values.data(), kColumns * kRows * sizeof(int), cudaMemcpyDefault));
    CUtensorMap maps[2] = {map_of(encode, in, {kColumns, rows}, {pitch}, {kWide, kHigh}), to};
    expect(cuTensorMapReplaceAddress(&maps[0], small) == CUDA_SUCCESS, "another address");
    if (mistake == Mistake::freed) CHECK(cudaFree(small));
    CUtensorMap* in_global = nullptr;
    CHECK(cudaMalloc(&in_global, sizeof maps));
    CHECK(cudaMemcpy(in_global, maps, sizeof maps, cudaMemcpyDefault));
    const dim3 more(tiles.x, mistake == Mistake::too_large ? tiles.y + 1 : tiles.y);
    scaled_by_pointers<<<more, kThreads>>>(mistake == Mistake::map_of_host ? maps : in_global, mistake);
    finish("maps in global memory", scaled_value, kValues);
    CHECK(cudaFree(in_global));
    if (mistake != Mistake::freed) CHECK(cudaFree(small));
    if (mistake == Mistake::none) {
      CHECK(cudaMemcpyToSymbol(map_of_constant, &from, sizeof from));
      scaled_by_constant<<<tiles, kThreads>>>(to);
      finish("a map in constant memory", scaled_value, kValues);
    }
  }
  if (is('t')) {
    const cuuint64_t side = kTransposed;
    const CUtensorMap square = map_of(encode, in, {side, side}, {side * 4}, {kSide, kSide}, CU_TENSOR_MAP_SWIZZLE_128B);
    const CUtensorMap back = map_of(encode, out, {side, side}, {side * 4}, {kSide, kSide}, CU_TENSOR_MAP_SWIZZLE_128B);
    transposed<<<dim3(2, 2), kThreads>>>(square, back, mistake);
    finish("a matrix turned", [&](int i) { return values[i % kTransposed * kTransposed + i / kTransposed]; }, kValues);
  }
  if (is('r')) {
    added<<<3, kThreads>>>(map_of(encode, out, {24, 8}, {24 * 4}, {kWide, kHigh}), mistake);
    finish("sums", [](int i) { return i < 24 * 8 ? 3 * ((i / 24 + 4) * kWide + i % 24 + 4) + 3 : 0; }, kValues);
  }
  if (is('c')) {
    multicast<<<kCluster, kThreads>>>(from, out, mistake);
    finish("a cluster", [&](int i) { return values[i / kWide * kColumns + kWide + i % kWide]; }, kCluster * kWide);
  }
  if (is('v')) {
    const CUtensorMap cubes = map_of(encode, in, {8, 7, 5}, {32, 224}, {4, 6, 2}, CU_TENSOR_MAP_SWIZZLE_NONE, {1, 2, 1});
    volume<<<1, 32>>>(cubes, out, mistake);
    finish("a volume", [&](int i) {
      const int x = 2 + i % 4, y = i / 4 % 3 * 2 - 1, z = 3 + i / 12;
      return y < 0 ? 0 : values[(z * 7 + y) * 8 + x];
    }, 24);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
