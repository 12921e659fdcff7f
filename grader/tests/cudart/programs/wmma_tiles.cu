// Products of matrices by nvcuda::wmma, for all types that compute capability 8.0 has.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.h"

using namespace nvcuda;

constexpr int kSize = 64, kTile = 16;

/// Tiles of A and B lie in shared memory, padded; four warps compute a tile of C each.
__global__ void tiled(const __half* a, const __half* b, float* c) {
  constexpr int kPadded = kTile + 8;
  __shared__ __align__(32) __half tile_a[2 * kTile * kPadded], tile_b[2 * kTile * kPadded];
  const int warp = threadIdx.x / 32, row = blockIdx.y * 2 * kTile, column = blockIdx.x * 2 * kTile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  for (int k = 0; k < kSize; k += kTile) {
    for (int i = threadIdx.x; i < 2 * kTile * kTile; i += blockDim.x) {
      tile_a[i / kTile * kPadded + i % kTile] = a[(row + i / kTile) * kSize + k + i % kTile];
      tile_b[i % (2 * kTile) * kPadded + i / (2 * kTile)] = b[(k + i / (2 * kTile)) * kSize + column + i % (2 * kTile)];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, tile_a + warp / 2 * kTile * kPadded, kPadded);
    wmma::load_matrix_sync(fb, tile_b + warp % 2 * kTile * kPadded, kPadded);
    wmma::mma_sync(sum, fa, fb, sum);
    __syncthreads();
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 2 * sum.x[i];
  wmma::store_matrix_sync(c + (row + warp / 2 * kTile) * kSize + column + warp % 2 * kTile, sum, kSize,
                          wmma::mem_row_major);
}

/// One product for each block's type, straight from global memory.
template <int M, int N, int K, class T, class In, class Sum>
__global__ void single(const In* a, const In* b, Sum* c) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(fa, a, M);
  wmma::load_matrix_sync(fb, b, N);
  wmma::fill_fragment(sum, Sum(0.0f));
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, M, wmma::mem_col_major);
}

template <class T>
T* on_device(const T* from, int count) {
  T* to;
  CHECK(cudaMalloc(&to, count * sizeof(T)));
  CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
  return to;
}

template <int M, int N, int K, class T, class In, class Sum>
bool try_single() {
  In a[M * K], b[K * N];
  Sum c[M * N];
  for (int i = 0; i < M * K; ++i) a[i] = In(static_cast<float>(i * 7 % 5));
  for (int i = 0; i < K * N; ++i) b[i] = In(static_cast<float>(i * 3 % 7));
  for (int i = 0; i < M * N; ++i) c[i] = Sum(0.0f);
  In *device_a = on_device(a, M * K), *device_b = on_device(b, K * N);
  Sum* device_c = on_device(c, M * N);
  single<M, N, K, T><<<1, 32>>>(device_a, device_b, device_c);
  CHECK(cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += static_cast<float>(a[k * M + i]) * static_cast<float>(b[k * N + j]);
      if (static_cast<float>(c[j * M + i]) != sum) return false;
    }
  return true;
}

template <int M, int N>
bool try_shape() {
  return try_single<M, N, 16, __half, __half, float>() && try_single<M, N, 16, __half, __half, __half>() &&
         try_single<M, N, 16, __nv_bfloat16, __nv_bfloat16, float>();
}

int main() {
  static __half a[kSize * kSize], b[kSize * kSize];
  static float c[kSize * kSize];
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = __float2half(static_cast<float>(i * 7 % 13 - 6));
    b[i] = __float2half(static_cast<float>(i * 5 % 11 - 5));
  }
  __half *device_a = on_device(a, kSize * kSize), *device_b = on_device(b, kSize * kSize);
  float* device_c = on_device(c, kSize * kSize);
  tiled<<<dim3(kSize / kTile / 2, kSize / kTile / 2), 128>>>(device_a, device_b, device_c);
  CHECK(cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) {
      float sum = 1;
      for (int k = 0; k < kSize; ++k) sum += __half2float(a[i * kSize + k]) * __half2float(b[k * kSize + j]);
      right = right && c[i * kSize + j] == 2 * sum;
    }
  expect(right, "tiles");
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  expect(try_shape<16, 16>() && try_shape<32, 8>() && try_shape<8, 32>(), "shapes");
  expect(try_single<16, 16, 16, signed char, signed char, int>() &&
             try_single<16, 16, 16, unsigned char, unsigned char, int>(),
         "bytes");
  expect(try_single<16, 16, 8, wmma::precision::tf32, float, float>(), "tf32");
  expect(try_single<8, 8, 4, double, double, double>(), "double precision");
}
