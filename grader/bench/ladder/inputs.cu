// Random inputs, made on the device: a hash of seed and index, so that any thread can make any value.
#include "inputs.h"

#include "device.h"

namespace cudalabs::ladder {
namespace {

constexpr unsigned kBlock = 256, kBlocks = 132 * 16;

__device__ std::uint64_t mix(std::uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

__global__ void fill_kernel(float* values, std::size_t count, Values kind, std::uint64_t seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const std::uint64_t bits = mix(seed + (i + 1) * 0x9e3779b97f4a7c15ull);
    values[i] = kind == Values::whole ? static_cast<float>(static_cast<int>(bits % 17) - 8)
                                      : static_cast<float>(static_cast<int>(bits >> 39) - (1 << 24)) * 0x1p-24f;
  }
}

__global__ void widen_kernel(double* to, const float* from, std::size_t count, bool squared) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double value = from[i];
    to[i] = squared ? value * value : value;
  }
}

__global__ void read_kernel(const float4* values, std::size_t count, float* nowhere) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  float sum = 0.0f;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum += values[i].x;
  }
  if (sum == -1.0f) *nowhere = sum;  // the memory is zero: never true, and the compiler cannot know
}

}  // namespace

void fill(float* values, std::size_t count, Values kind, std::uint64_t seed) {
  fill_kernel<<<kBlocks, kBlock>>>(values, count, kind, seed);
  check(cudaGetLastError(), "fill");
}

void widen(double* to, const float* from, std::size_t count, bool squared) {
  widen_kernel<<<kBlocks, kBlock>>>(to, from, count, squared);
  check(cudaGetLastError(), "widen");
}

void read_all(const float* values, std::size_t count) {
  read_kernel<<<kBlocks, kBlock>>>(reinterpret_cast<const float4*>(values), count / 4, const_cast<float*>(values));
  check(cudaGetLastError(), "read_all");
}

}  // namespace cudalabs::ladder
