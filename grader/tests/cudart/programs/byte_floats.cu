// What programs for compute capability 8.9 and above use of numbers of a byte, local memory of a size that only a
// thread knows, and instructions in assembly: stores of matrices, values side by side.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <alloca.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kHalves = 65536, kThreads = 256;

struct Codes {
  unsigned char e4m3, e5m2;
};

__global__ void convert(Codes* codes, float* back) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half value = __ushort_as_half(static_cast<unsigned short>(i));
  const __nv_fp8_e4m3 small(value);
  const __nv_fp8_e5m2 wide(value);
  codes[i] = {small.__x, wide.__x};
  back[2 * i] = float(small);
  back[2 * i + 1] = float(wide);
}

// The compiler's own library has the same conversions for the host, without an instruction for them.
bool halves_convert() {
  Codes* codes = nullptr;
  float* back = nullptr;
  CHECK(cudaMalloc(&codes, kHalves * sizeof(Codes)));
  CHECK(cudaMalloc(&back, 2 * kHalves * sizeof(float)));
  convert<<<kHalves / kThreads, kThreads>>>(codes, back);
  std::vector<Codes> results(kHalves);
  std::vector<float> numbers(2 * kHalves);
  CHECK(cudaMemcpy(results.data(), codes, kHalves * sizeof(Codes), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(numbers.data(), back, 2 * kHalves * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(codes));
  CHECK(cudaFree(back));
  bool right = true;
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (int i = 0; i < kHalves; ++i) {
    const __half_raw value{static_cast<unsigned short>(i)};
    const __nv_fp8_storage_t small = __nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
    const __nv_fp8_storage_t wide = __nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, __NV_E5M2);
    right = right && results[i].e4m3 == small && results[i].e5m2 == wide;
    const float of_small = __half2float(__half(__nv_cvt_fp8_to_halfraw(small, __NV_E4M3)));
    const float of_wide = __half2float(__half(__nv_cvt_fp8_to_halfraw(wide, __NV_E5M2)));
    right = right && same(numbers[2 * i], of_small) && same(numbers[2 * i + 1], of_wide);
  }
  return right;
}

__global__ void convert_vectors(const float4* from, __nv_fp8x4_e4m3* to, float4* back) {
  to[threadIdx.x] = __nv_fp8x4_e4m3(from[threadIdx.x]);
  back[threadIdx.x] = float4(to[threadIdx.x]);
}

bool vectors_convert() {
  std::vector<float4> numbers(kThreads), results(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    const float x = static_cast<float>(i);
    numbers[i] = {x * 0.3f, -x, 1e6f * x, 1 / (x + 1)};
  }
  float4 *from = nullptr, *back = nullptr;
  __nv_fp8x4_e4m3* to = nullptr;
  CHECK(cudaMalloc(&from, kThreads * sizeof(float4)));
  CHECK(cudaMalloc(&back, kThreads * sizeof(float4)));
  CHECK(cudaMalloc(&to, kThreads * sizeof(__nv_fp8x4_e4m3)));
  CHECK(cudaMemcpy(from, numbers.data(), kThreads * sizeof(float4), cudaMemcpyHostToDevice));
  convert_vectors<<<1, kThreads>>>(from, to, back);
  CHECK(cudaMemcpy(results.data(), back, kThreads * sizeof(float4), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < kThreads; ++i) {
    const float4 expected = float4(__nv_fp8x4_e4m3(numbers[i]));
    right = right && std::memcmp(&expected, &results[i], sizeof expected) == 0;
  }
  CHECK(cudaFree(from));
  CHECK(cudaFree(back));
  CHECK(cudaFree(to));
  return right;
}

__global__ void add_up(int* sums) {
  const int count = static_cast<int>(threadIdx.x) + 1;
  int* const own = static_cast<int*>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) own[i] = i;
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += own[count - 1 - i];
  sums[threadIdx.x] = sum;
}

bool threads_take_memory() {
  std::vector<int> results(kThreads);
  int* sums = nullptr;
  CHECK(cudaMalloc(&sums, kThreads * sizeof(int)));
  add_up<<<1, kThreads>>>(sums);
  CHECK(cudaMemcpy(results.data(), sums, kThreads * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(sums));
  bool right = true;
  for (int i = 0; i < kThreads; ++i) right = right && results[i] == i * (i + 1) / 2;
  return right;
}

__global__ void transpose(unsigned short* matrix) {
  __shared__ alignas(16) unsigned short tile[64];
  const unsigned lane = threadIdx.x;
  const unsigned pair = (2 * lane + 1) << 16 | 2 * lane;
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(tile + 8 * (lane % 8)));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(row), "r"(pair) : "memory");
  __syncwarp();
  matrix[lane] = tile[lane];
  matrix[lane + 32] = tile[lane + 32];
}

bool matrices_are_stored() {
  std::vector<unsigned short> results(64);
  unsigned short* matrix = nullptr;
  CHECK(cudaMalloc(&matrix, 64 * sizeof(unsigned short)));
  transpose<<<1, 32>>>(matrix);
  CHECK(cudaMemcpy(results.data(), matrix, 64 * sizeof(unsigned short), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(matrix));
  bool right = true;
  for (int i = 0; i < 64; ++i) right = right && results[i] == i % 8 * 8 + i / 8;
  return right;
}

__global__ void pack(unsigned* results) {
  const unsigned a = 0x01'7F'80'FF, b = 0x02'01'80'03;
  unsigned d = 0;
  asm("vadd4.s32.s32.s32.sat %0.b321, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0x11u));
  results[0] = d;
  asm("vabsdiff.u32.u32.u32.add %0, %1.b1, %2.h0, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(5u));
  results[1] = d;
  asm("vmad.s32.u32.s32.sat.shr7 %0, %1.b2, -%2.b0, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(1280u));
  results[2] = d;
}

bool values_are_packed() {
  unsigned* device = nullptr;
  unsigned results[3] = {};
  CHECK(cudaMalloc(&device, sizeof results));
  pack<<<1, 1>>>(device);
  CHECK(cudaMemcpy(results, device, sizeof results, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return results[0] == 0x03'7F'80'11 && results[1] == 0x8003 - 0x80 + 5 && results[2] == (1280 - 127 * 3) / 128;
}

int main() {
  expect(halves_convert(), "halves");
  expect(vectors_convert(), "vectors");
  expect(threads_take_memory(), "local memory");
  expect(matrices_are_stored(), "matrices");
  expect(values_are_packed(), "packed values");
}
