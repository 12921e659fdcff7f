// A product of matrices by tensor cores, in PTX: tiles of 16 x 16 numbers in shared memory, a warp for each tile of C.
#include <cuda_fp16.h>

#include "check.h"

constexpr int kSize = 48, kTile = 16;

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// c += a * b for 16 x 8 numbers of C, a row of 16 numbers of A and B each.
__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(b0));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[2]), "r"(a[3]), "r"(b1));
}

__global__ void product(const __half* a, const __half* b, float* c) {
  __shared__ __align__(16) __half tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int lane = threadIdx.x, row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  float left[4] = {}, right[4] = {};
  for (int k = 0; k < kSize; k += kTile) {
    for (int i = lane; i < kTile * kTile; i += 32) {
      tile_a[i / kTile][i % kTile] = a[(row + i / kTile) * kSize + k + i % kTile];
      tile_b[i / kTile][i % kTile] = b[(k + i / kTile) * kSize + column + i % kTile];
    }
    __syncthreads();
    unsigned fa[4], fb[4];
    const unsigned at_a = shared_address(&tile_a[lane % 16][lane / 16 * 8]);
    const unsigned at_b = shared_address(&tile_b[lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(at_a)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                 : "r"(at_b)
                 : "memory");
    multiply(left, fa, fb[0], fb[1]);
    multiply(right, fa, fb[2], fb[3]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    float* const to = c + (row + lane / 4 + i / 2 * 8) * kSize + column + lane % 4 * 2 + i % 2;
    to[0] = left[i];
    to[8] = right[i];
  }
}

int main() {
  static __half a[kSize * kSize], b[kSize * kSize];
  static float c[kSize * kSize];
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = __float2half(static_cast<float>(i * 7 % 13 - 6));
    b[i] = __float2half(static_cast<float>(i * 5 % 11 - 5));
  }
  __half *device_a, *device_b;
  float* device_c;
  CHECK(cudaMalloc(&device_a, sizeof a));
  CHECK(cudaMalloc(&device_b, sizeof b));
  CHECK(cudaMalloc(&device_c, sizeof c));
  CHECK(cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice));
  product<<<dim3(kSize / kTile, kSize / kTile), 32>>>(device_a, device_b, device_c);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) {
      float sum = 0;  // of integers: exact
      for (int k = 0; k < kSize; ++k) sum += __half2float(a[i * kSize + k]) * __half2float(b[k * kSize + j]);
      right = right && c[i * kSize + j] == sum;
    }
  expect(right, "tensor cores");
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
}
