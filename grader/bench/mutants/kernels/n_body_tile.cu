// Forces between bodies: the block goes through all bodies tile by tile. Right, because barriers stand between a tile's
// writes, its reads and the next writes, and all threads make the same number of turns.
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

constexpr int kBodies = 192, kTile = 64;

__global__ void accelerate(const float4* bodies, float3* result, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 self = bodies[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  // MUTANT off-by-one `first < n` -> `first <= n` (bounds): a turn more reads a tile behind the last body.
  for (int first = 0; first < n; first += kTile) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    // MUTANT barrier-deleted (race): the tile is read while the other warp fills it.
    // MUTANT barrier-weakened (race): the tile is filled by two warps.
    // MUTANT barrier-guarded `blockIdx.x < 3` (none): the same for all threads of a block, and true.
    __syncthreads();
    // MUTANT off-by-one `k < kTile` -> `k <= kTile` (bounds): tile[64] does not exist.
    for (int k = 0; k < kTile; ++k) {
      const float x = tile[k].x - self.x, y = tile[k].y - self.y, z = tile[k].z - self.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f), factor = tile[k].w * inverse * inverse * inverse;
      sum.x += factor * x, sum.y += factor * y, sum.z += factor * z;
    }
    // MUTANT barrier-deleted (race): the next tile is written over one that the other warp still reads.
    // MUTANT barrier-duplicated (none): nothing new is ordered.
    // MUTANT barrier-guarded `threadIdx.x % 2 == 0` (barrier|race): every second lane stays away.
    __syncthreads();
  }
  result[i] = sum;
}

int main() {
  std::vector<float4> bodies(kBodies);
  std::vector<float3> result(kBodies);
  for (int i = 0; i < kBodies; ++i) bodies[i] = make_float4(i % 7, i % 11, i % 13, 1 + i % 3);
  float4* d_bodies = nullptr;
  float3* d_result = nullptr;
  cudaMalloc(&d_bodies, kBodies * sizeof(float4));
  cudaMalloc(&d_result, kBodies * sizeof(float3));
  cudaMemcpy(d_bodies, bodies.data(), kBodies * sizeof(float4), cudaMemcpyHostToDevice);
  accelerate<<<kBodies / kTile, kTile>>>(d_bodies, d_result, kBodies);
  const cudaError_t error = cudaMemcpy(result.data(), d_result, kBodies * sizeof(float3), cudaMemcpyDeviceToHost);
  cudaFree(d_bodies);
  cudaFree(d_result);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kBodies; ++i) {
    double sum = 0;
    for (const float4& other : bodies) {
      const double x = other.x - bodies[i].x, y = other.y - bodies[i].y, z = other.z - bodies[i].z;
      sum += other.w * x / std::pow(x * x + y * y + z * z + 0.01, 1.5);
    }
    if (!(std::abs(result[i].x - sum) <= 1e-3 * (1 + std::abs(sum)))) return 1;
  }
  return 0;
}
