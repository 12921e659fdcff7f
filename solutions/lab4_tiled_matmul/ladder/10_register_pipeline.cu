// Step 10 of 11: the next operands are in registers in time.
//
// While one k is multiplied, the values of the next are read from shared memory, across the border of two tiles too.
// And fewer instructions bring them there: A comes 16 bytes at a time through registers, transposed on the way out,
// with its places swapped against bank conflicts; copied value by value as in step 9, this kernel was 8 % slower. When
// its stores and the copies are issued is measured, not derived. Tried and not faster: deeper phases, A untransposed,
// 16 by 8 elements a thread, a tile of 256 by 128.
//
// Measured on an H200: 52,487 GFLOP/s and 102.8 % of cuBLAS's speed in plain FP32 at 4,096³; 12,560 and 37.3 % at
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
//  >10  the next operands are in registers in time
//   11  a tile that leaves no multiprocessor idle

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace {

constexpr int kTileRows = 128;     // of C, a block
constexpr int kTileColumns = 256;  // of C, a block
constexpr int kTileDepth = 16;     // along n, a phase
constexpr int kWarpSide = 64;      // a warp computes 64 × 64 elements of C
constexpr int kWarpsAcross = kTileColumns / kWarpSide;
constexpr int kThreads = kTileRows / kWarpSide * kWarpsAcross * 32;
constexpr int kLanesDown = 8, kLanesAcross = 4;
constexpr int kRows = kWarpSide / kLanesDown, kColumns = kWarpSide / kLanesAcross;  // of C, a thread: 8 × 16

constexpr int kGroups = kTileDepth / 4;                  // groups of four in a row of A's tile
constexpr int kStepOfA = kThreads / kGroups;             // rows between a thread's groups of A
constexpr int kGroupsOfA = kTileRows / kStepOfA;         // groups of A a thread fetches in a phase
constexpr int kStepOfB = kThreads / (kTileColumns / 4);  // rows between a thread's groups of B
constexpr int kGroupsOfB = kTileDepth / kStepOfB;        // groups of B a thread fetches in a phase

struct __align__(16) Tiles {  // two pairs, which fill the 48 KB a block may have
  float a[2][kTileDepth][kTileRows];
  float b[2][kTileDepth][kTileColumns];
};

// A's tile is stored transposed. In its row k the places are swapped by an exclusive or with swizzle(k): this puts what
// a warp writes at a time, four groups of eight rows, into 32 different banks, and keeps four neighbours together.
__device__ __forceinline__ constexpr int swizzle(int k) {
  return k / 4 * (32 / kGroups);
}

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
template <bool kAligned>
struct Fetcher {
  const float* a[kGroupsOfA];
  const float* b[kAligned ? 1 : 4];  // four columns apart where each is copied by itself
  float4 a_values[kGroupsOfA];
  int group, row, b_k, b_column;  // the first it fetches, in the tiles

  __device__ __forceinline__ Fetcher(const float* matrix_a, const float* matrix_b, int tile_row, int tile_column, int m,
                                     int n, int p) {
    const int thread = static_cast<int>(threadIdx.x);
    group = thread % kGroups;
    row = thread / kGroups;
    b_k = thread / (kTileColumns / 4);
    b_column = thread % (kTileColumns / 4) * 4;
#pragma unroll
    for (int i = 0; i < kGroupsOfA; ++i) {
      a[i] = matrix_a + static_cast<size_t>(min(tile_row + row + i * kStepOfA, m - 1)) * n + group * 4;
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
    for (int i = 0; i < kGroupsOfA; ++i) {
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

  __device__ __forceinline__ void store_a(float (*tile)[kTileRows]) const {
    const int place = row ^ swizzle(group * 4);
#pragma unroll
    for (int i = 0; i < kGroupsOfA; ++i) {
      tile[group * 4 + 0][place + i * kStepOfA] = a_values[i].x;
      tile[group * 4 + 1][place + i * kStepOfA] = a_values[i].y;
      tile[group * 4 + 2][place + i * kStepOfA] = a_values[i].z;
      tile[group * 4 + 3][place + i * kStepOfA] = a_values[i].w;
    }
  }

  /// Starts copying the next `depth` rows of B.
  __device__ __forceinline__ void copy_b(float (*tile)[kTileColumns], int depth, int p, bool whole) {
#pragma unroll
    for (int i = 0; i < kGroupsOfB; ++i) {
      float* place = &tile[b_k + i * kStepOfB][b_column];
      const size_t below = static_cast<size_t>(i * kStepOfB) * p;
      const bool inside = whole || b_k + i * kStepOfB < depth;
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

/// What a thread multiplies at one k: 24 values for 128 multiplications.
struct Operands {
  float a[kRows], b[kColumns];

  __device__ __forceinline__ void read(const Tiles& tiles, int pair, int k, int row, int column) {
#pragma unroll
    for (int i = 0; i < kRows; i += 4) read4(&a[i], &tiles.a[pair][k][(row ^ swizzle(k)) + i * kLanesDown]);
#pragma unroll
    for (int j = 0; j < kColumns; j += 4) read4(&b[j], &tiles.b[pair][k][column + j * kLanesAcross]);
  }

  __device__ __forceinline__ void multiply(float (&sums)[kRows][kColumns]) const {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
#pragma unroll
      for (int jj = 0; jj < kColumns; ++jj) {
        const int j = i % 2 == 0 ? jj : kColumns - 1 - jj;  // to and fro: neighbours share an operand
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

template <bool kAligned>
__global__ void __launch_bounds__(kThreads) register_pipeline(const float* __restrict__ a, const float* __restrict__ b,
                                                              float* __restrict__ c, int m, int n, int p) {
  __shared__ Tiles tiles;

  const int tiles_across = (p - 1) / kTileColumns + 1;
  const int tile_row = static_cast<int>(blockIdx.x) / tiles_across * kTileRows;
  const int tile_column = static_cast<int>(blockIdx.x) % tiles_across * kTileColumns;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int row = warp / kWarpsAcross * kWarpSide + lane / kLanesAcross * 4;
  const int column = warp % kWarpsAcross * kWarpSide + lane % kLanesAcross * 4;

  Fetcher<kAligned> fetcher(a, b, tile_row, tile_column, m, n, p);
  const int first_depth = (n - 1) % kTileDepth + 1;
  fetcher.load_a(first_depth, false);
  fetcher.copy_b(tiles.b[0], first_depth, p, false);
  fetcher.store_a(tiles.a[0]);
  wait_for_copies();
  __syncthreads();

  float sums[kRows][kColumns] = {};
  Operands operands[2];
  operands[0].read(tiles, 0, 0, row, column);
  int now = 0;
  for (int left = (n - 1) / kTileDepth; left >= 0; --left) {  // pairs still to fetch
    const bool more = left > 0;
#pragma unroll
    for (int k = 0; k < kTileDepth; ++k) {
      if (k == kTileDepth - 4 && more) fetcher.store_a(tiles.a[now ^ 1]);
      if (k == kTileDepth - 1) {
        wait_for_copies();
        __syncthreads();  // the next pair is complete, and the present one has been read to its end
        now ^= more;      // after the last pair the values read ahead are not used
      }
      if (k == 0 && more) {
        fetcher.load_a(kTileDepth, true);
        fetcher.copy_b(tiles.b[now ^ 1], kTileDepth, p, true);
      }
      operands[(k + 1) % 2].read(tiles, now, (k + 1) % kTileDepth, row, column);
      operands[k % 2].multiply(sums);
    }
  }

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int c_row = tile_row + row + i / 4 * 4 * kLanesDown + i % 4;
    if (c_row >= m) continue;
#pragma unroll
    for (int j = 0; j < kColumns; j += 4) {
      const int c_column = tile_column + column + j * kLanesAcross;
      store4<kAligned>(c + static_cast<size_t>(c_row) * p + c_column, &sums[i][j], p - c_column);
    }
  }
}

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

}  // namespace

void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  const int blocks = ((m - 1) / kTileRows + 1) * ((p - 1) / kTileColumns + 1);
  const bool aligned = n % 4 == 0 && p % 4 == 0 && is_aligned(d_a) && is_aligned(d_b) && is_aligned(d_c);
  if (aligned) {
    register_pipeline<true><<<blocks, kThreads>>>(d_a, d_b, d_c, m, n, p);
  } else {
    register_pipeline<false><<<blocks, kThreads>>>(d_a, d_b, d_c, m, n, p);
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "tiled_matmul: %s\n", cudaGetErrorString(error));
}
