// Step 11 of 11: a tile that leaves no multiprocessor idle.
//
// A tile of 128 by 256 is the fastest where there are enough of them. Smaller products get smaller tiles, so that all
// multiprocessors have work and the last round of blocks is not nearly empty: four shapes of one kernel, and a cost for
// each.
//
// Measured on an H200: 51,709 GFLOP/s and 101.1 % of cuBLAS's speed in plain FP32 at 4,096³; 38,022 and 113.1 % at
// 1,024³.
//
// The ladder:
//    1  row and column the wrong way round
//    2  neighbouring threads on neighbouring elements
//    3  tiles of 16 by 16 in shared memory
//    4  tiles of 32 by 32
//    5  eight elements of a column a thread
//    6  eight by eight elements a thread
//    7  four values an access, A transposed
//    8  the next tiles travel during the multiplications
//    9  a tile a warp, sixteen by eight elements a thread
//   10  the next operands are in registers in time
//  >11  a tile that leaves no multiprocessor idle

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kLanesDown = 8, kLanesAcross = 4;

/// How a product is divided: a block computes kTileRows × kTileColumns elements of C in phases of depth kTileDepth, and
/// each of its warps kWarpRows × kWarpColumns of them. A multiprocessor holds at least kBlocks of the blocks.
template <int kTileRows, int kTileColumns, int kTileDepth, int kWarpRows, int kWarpColumns, int kBlocks>
struct Shape {
  static constexpr int rows = kTileRows, columns = kTileColumns, depth = kTileDepth, blocks = kBlocks;
  static constexpr int warp_rows = kWarpRows, warp_columns = kWarpColumns;
  static constexpr int warps_across = kTileColumns / kWarpColumns;
  static constexpr int threads = kTileRows / kWarpRows * warps_across * 32;
  static constexpr int thread_rows = kWarpRows / kLanesDown, thread_columns = kWarpColumns / kLanesAcross;

  static constexpr int groups = kTileDepth / 4;                   // groups of four in a row of A's tile
  static constexpr int step_of_a = threads / groups;              // rows between a thread's groups of A
  static constexpr int groups_of_a = kTileRows / step_of_a;       // groups of A a thread fetches in a phase
  static constexpr int step_of_b = threads / (kTileColumns / 4);  // rows between a thread's groups of B
  static constexpr int groups_of_b = kTileDepth / step_of_b;      // groups of B a thread fetches in a phase
  static_assert(groups_of_a * step_of_a == kTileRows && groups_of_b * step_of_b == kTileDepth, "nothing is left over");
  static_assert(kWarpRows % 32 == 0, "the swizzle stays within a warp's rows");

  // A's tile is stored transposed. In its row k the places are swapped by an exclusive or with swizzle(k): this puts
  // what a warp writes at a time into 32 different banks, and keeps four neighbours together.
  static __device__ __forceinline__ constexpr int swizzle(int k) { return k / 4 * (32 / groups); }

  struct __align__(16) Tiles {  // two pairs
    float a[2][kTileDepth][kTileRows];
    float b[2][kTileDepth][kTileColumns];
  };
};

using Large = Shape<128, 256, 16, 64, 64, 1>;   // 8 × 16 elements a thread
using Medium = Shape<64, 128, 16, 64, 32, 3>;   // 8 × 8
using Small = Shape<64, 64, 32, 64, 16, 4>;     // 8 × 4
using Smallest = Shape<32, 64, 32, 32, 16, 6>;  // 4 × 4

/// Global to shared memory in the background, where the hardware can: compute capability 8.0 and up. With `inside`
/// false zeros are written and `from` is not read.
template <int kValues>
__device__ __forceinline__ void copy(float* to, const float* from, bool inside) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const int bytes = inside ? 4 * kValues : 0;
  if (kValues == 4) {
    asm volatile("{ .reg .u64 place; cvta.to.shared.u64 place, %0; cp.async.cg.shared.global [place], [%1], 16, %2; }"
                 :
                 : "l"(to), "l"(from), "r"(bytes)
                 : "memory");
  } else {
    asm volatile("{ .reg .u64 place; cvta.to.shared.u64 place, %0; cp.async.ca.shared.global [place], [%1], 4, %2; }"
                 :
                 : "l"(to), "l"(from), "r"(bytes)
                 : "memory");
  }
#else
  for (int i = 0; i < kValues; ++i) to[i] = inside ? from[i] : 0.0f;
#endif
}

__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// What a thread fetches of each pair of tiles. Rows of A and columns of B outside the matrix are moved to the last one
/// inside, whose values then only reach sums that nobody stores. The first pair is the partial one, so that the pairs
/// fetched while others are multiplied, which are `whole`, need no checks at all.
template <typename S, bool kAligned>
struct Fetcher {
  const float* a[S::groups_of_a];
  const float* b[kAligned ? 1 : 4];  // four columns apart where each is copied by itself
  float4 a_values[S::groups_of_a];
  int group, row, b_k, b_column;  // the first it fetches, in the tiles

  __device__ __forceinline__ Fetcher(const float* matrix_a, const float* matrix_b, int tile_row, int tile_column, int m,
                                     int n, int p) {
    const int thread = static_cast<int>(threadIdx.x);
    group = thread % S::groups;
    row = thread / S::groups;
    b_k = thread / (S::columns / 4);
    b_column = thread % (S::columns / 4) * 4;
#pragma unroll
    for (int i = 0; i < S::groups_of_a; ++i) {
      a[i] = matrix_a + static_cast<size_t>(min(tile_row + row + i * S::step_of_a, m - 1)) * n + group * 4;
    }
#pragma unroll
    for (int j = 0; j < (kAligned ? 1 : 4); ++j) {
      b[j] = matrix_b + static_cast<size_t>(b_k) * p + min(tile_column + b_column + j, kAligned ? p - 4 : p - 1);
    }
  }

  /// Reads this thread's values of the next `depth` columns of A into registers: transposing needs a stop there.
  __device__ __forceinline__ void load_a(int depth, bool whole) {
    const int count = whole ? 4 : depth - group * 4;
#pragma unroll
    for (int i = 0; i < S::groups_of_a; ++i) {
      a_values[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (kAligned) {
        if (count > 0) a_values[i] = *reinterpret_cast<const float4*>(a[i]);
      } else {
        if (count > 0) a_values[i].x = a[i][0];
        if (count > 1) a_values[i].y = a[i][1];
        if (count > 2) a_values[i].z = a[i][2];
        if (count > 3) a_values[i].w = a[i][3];
      }
      a[i] += depth;
    }
  }

  __device__ __forceinline__ void store_a(float (*tile)[S::rows]) const {
    const int swap = S::swizzle(group * 4);
#pragma unroll
    for (int i = 0; i < S::groups_of_a; ++i) {
      // Both forms are the same place where the step is a multiple of 32, and the first is then a constant away.
      const int place = S::step_of_a % 32 == 0 ? (row ^ swap) + i * S::step_of_a : (row + i * S::step_of_a) ^ swap;
      tile[group * 4 + 0][place] = a_values[i].x;
      tile[group * 4 + 1][place] = a_values[i].y;
      tile[group * 4 + 2][place] = a_values[i].z;
      tile[group * 4 + 3][place] = a_values[i].w;
    }
  }

  /// Starts copying the next `depth` rows of B.
  __device__ __forceinline__ void copy_b(float (*tile)[S::columns], int depth, int p, bool whole) {
#pragma unroll
    for (int i = 0; i < S::groups_of_b; ++i) {
      float* place = &tile[b_k + i * S::step_of_b][b_column];
      const size_t below = static_cast<size_t>(i * S::step_of_b) * p;
      const bool inside = whole || b_k + i * S::step_of_b < depth;
      if (kAligned) {
        copy<4>(place, b[0] + below, inside);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j) copy<1>(place + j, b[j % (kAligned ? 1 : 4)] + below, inside);
      }
    }
#pragma unroll
    for (int j = 0; j < (kAligned ? 1 : 4); ++j) b[j] += static_cast<size_t>(depth) * p;
  }
};

/// One 16-byte read of shared memory.
__device__ __forceinline__ void read4(float* values, const float* source) {
  const float4 four = *reinterpret_cast<const float4*>(source);
  values[0] = four.x;
  values[1] = four.y;
  values[2] = four.z;
  values[3] = four.w;
}

/// What a thread multiplies at one k.
template <typename S>
struct Operands {
  float a[S::thread_rows], b[S::thread_columns];

  __device__ __forceinline__ void read(const typename S::Tiles& tiles, int pair, int k, int row, int column) {
#pragma unroll
    for (int i = 0; i < S::thread_rows; i += 4) read4(&a[i], &tiles.a[pair][k][(row ^ S::swizzle(k)) + i * kLanesDown]);
#pragma unroll
    for (int j = 0; j < S::thread_columns; j += 4) read4(&b[j], &tiles.b[pair][k][column + j * kLanesAcross]);
  }

  __device__ __forceinline__ void multiply(float (&sums)[S::thread_rows][S::thread_columns]) const {
#pragma unroll
    for (int i = 0; i < S::thread_rows; ++i) {
#pragma unroll
      for (int jj = 0; jj < S::thread_columns; ++jj) {
        const int j = i % 2 == 0 ? jj : S::thread_columns - 1 - jj;  // to and fro: neighbours share an operand
        sums[i][j] += a[i] * b[j];
      }
    }
  }
};

template <bool kAligned>
__device__ __forceinline__ void store4(float* destination, const float* values, int count) {
  if (kAligned) {  // count is a multiple of four
    if (count > 0) *reinterpret_cast<float4*>(destination) = make_float4(values[0], values[1], values[2], values[3]);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (j < count) destination[j] = values[j];
    }
  }
}

template <typename S, bool kAligned>
__global__ void __launch_bounds__(S::threads, S::blocks)
    multiply_tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n,
                   int p) {
  __shared__ typename S::Tiles tiles;

  const int tiles_across = (p - 1) / S::columns + 1;
  const int tile_row = static_cast<int>(blockIdx.x) / tiles_across * S::rows;
  const int tile_column = static_cast<int>(blockIdx.x) % tiles_across * S::columns;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int row = warp / S::warps_across * S::warp_rows + lane / kLanesAcross * 4;
  const int column = warp % S::warps_across * S::warp_columns + lane % kLanesAcross * 4;

  Fetcher<S, kAligned> fetcher(a, b, tile_row, tile_column, m, n, p);
  const int first_depth = (n - 1) % S::depth + 1;
  fetcher.load_a(first_depth, false);
  fetcher.copy_b(tiles.b[0], first_depth, p, false);
  fetcher.store_a(tiles.a[0]);
  wait_for_copies();
  __syncthreads();

  float sums[S::thread_rows][S::thread_columns] = {};
  Operands<S> operands[2];
  operands[0].read(tiles, 0, 0, row, column);
  int now = 0;
  for (int left = (n - 1) / S::depth; left >= 0; --left) {  // pairs still to fetch
    const bool more = left > 0;
#pragma unroll
    for (int k = 0; k < S::depth; ++k) {
      if (k == S::depth - 4 && more) fetcher.store_a(tiles.a[now ^ 1]);
      if (k == S::depth - 1) {
        wait_for_copies();
        __syncthreads();  // the next pair is complete, and the present one has been read to its end
        now ^= more;      // after the last pair the values read ahead are not used
      }
      if (k == 0 && more) {
        fetcher.load_a(S::depth, true);
        fetcher.copy_b(tiles.b[now ^ 1], S::depth, p, true);
      }
      operands[(k + 1) % 2].read(tiles, now, (k + 1) % S::depth, row, column);
      operands[k % 2].multiply(sums);
    }
  }

#pragma unroll
  for (int i = 0; i < S::thread_rows; ++i) {
    const int c_row = tile_row + row + i / 4 * 4 * kLanesDown + i % 4;
    if (c_row >= m) continue;
#pragma unroll
    for (int j = 0; j < S::thread_columns; j += 4) {
      const int c_column = tile_column + column + j * kLanesAcross;
      store4<kAligned>(c + static_cast<size_t>(c_row) * p + c_column, &sums[i][j], p - c_column);
    }
  }
}

template <typename S>
int blocks_of(int m, int p) {
  return ((m - 1) / S::rows + 1) * ((p - 1) / S::columns + 1);
}

/// What a product would cost with this shape, in multiply-adds of one k on one multiprocessor at the large shape's
/// speed: the elements of the multiprocessor that gets most blocks, over the shape's speed, and what stays uncovered of
/// the waiting when that multiprocessor has few warps. Speeds and waiting were fitted to times on an H200.
template <typename S>
double cost_of(int m, int p, int multiprocessors, double speed) {
  constexpr double kWaiting = 10000;  // of a single warp
  const int blocks = (blocks_of<S>(m, p) - 1) / multiprocessors + 1;
  const double elements = static_cast<double>(blocks) * S::rows * S::columns;
  return elements / speed + kWaiting / (static_cast<double>(blocks) * S::threads / 32);
}

template <typename S>
void launch(const float* d_a, const float* d_b, float* d_c, int m, int n, int p, bool aligned) {
  if (aligned) {
    multiply_tiles<S, true><<<blocks_of<S>(m, p), S::threads>>>(d_a, d_b, d_c, m, n, p);
  } else {
    multiply_tiles<S, false><<<blocks_of<S>(m, p), S::threads>>>(d_a, d_b, d_c, m, n, p);
  }
}

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

}  // namespace

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const bool aligned = n % 4 == 0 && p % 4 == 0 && is_aligned(d_a) && is_aligned(d_b) && is_aligned(d_c);
  int multiprocessors = 1;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const double large = cost_of<Large>(m, p, multiprocessors, 1.0);
  const double medium = cost_of<Medium>(m, p, multiprocessors, 0.97);
  const double small = cost_of<Small>(m, p, multiprocessors, 0.85);
  const double smallest = cost_of<Smallest>(m, p, multiprocessors, 0.665);
  const double best = std::min({large, medium, small, smallest});
  if (best == large) {
    launch<Large>(d_a, d_b, d_c, m, n, p, aligned);
  } else if (best == medium) {
    launch<Medium>(d_a, d_b, d_c, m, n, p, aligned);
  } else if (best == small) {
    launch<Small>(d_a, d_b, d_c, m, n, p, aligned);
  } else {
    launch<Smallest>(d_a, d_b, d_c, m, n, p, aligned);
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
