// Parameters of every kind and size, templates, constant and device variables, dynamic shared memory.
#include <cstring>

#include "check.h"

struct Small {
  char tag;
  short value;
};
struct Big {
  double weights[5];
  int count;
  char name[7];
  const float* data;
};

__constant__ float coefficients[4];
__constant__ int offset = 7;
__device__ int counter = 5;
__device__ float table[8];

struct Result {
  double sum;
  long long integer;
  int text[16];
};

template <typename T, int N>
__global__ void combine(bool flag, char c, signed char sc, unsigned short us, T t, long long ll, float3 v, Small small,
                        Big big, Result* out, unsigned char uc, double d) {
  extern __shared__ int scratch[];
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  scratch[i] = i * N;
  __syncthreads();
  if (i != 0) return;
  double sum = flag ? 1000.0 : 0.0;
  sum += t + v.x + v.y + v.z + d + big.weights[4] + big.data[1] + coefficients[3];
  long long integer = c + sc + us + ll + small.tag + small.value + big.count + uc + offset + counter;
  for (unsigned int k = 0; k < blockDim.x * blockDim.y * blockDim.z; ++k) integer += scratch[k];
  out->sum = sum;
  out->integer = integer;
  for (int k = 0; k < 7; ++k) out->text[k] = big.name[k];
  table[2] = big.data[0];
  counter = 99;
}

// As many bytes as a kernel may be given.
struct Largest {
  int numbers[(32764 - sizeof(int*)) / sizeof(int)];
};
constexpr int kLargest = sizeof(Largest) / sizeof(int);

__global__ void sum_of(int* out, const Largest all) {
  int sum = 0;
  for (int i = 0; i < kLargest; ++i) sum += all.numbers[i];
  *out = sum;
}

int main() {
  float data[2] = {0.25f, 0.125f};
  float *device_data, host_coefficients[4] = {1, 2, 3, 0.0625f};
  Result *device_result, result;
  CHECK(cudaMalloc(&device_data, sizeof data));
  CHECK(cudaMalloc(&device_result, sizeof result));
  CHECK(cudaMemset(device_result, 0, sizeof result));
  CHECK(cudaMemcpy(device_data, data, sizeof data, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(coefficients, host_coefficients, sizeof host_coefficients));
  Big big = {{1, 2, 3, 4, 0.5}, 11, "abcdef", device_data};
  combine<float, 3><<<dim3(1), dim3(4, 2, 2), 16 * sizeof(int)>>>(
      true, 'A', -3, 60000, 2.5f, 1LL << 40, make_float3(1, 2, 4), Small{'z', -300}, big, device_result, 200, 0.75);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&result, device_result, sizeof result, cudaMemcpyDeviceToHost));
  expect(result.sum == 1000 + 2.5 + 7 + 0.75 + 0.5 + 0.125 + 0.0625, "sum");
  expect(result.integer == 'A' - 3 + 60000 + (1LL << 40) + 'z' - 300 + 11 + 200 + 7 + 5 + 3 * 120, "integer");
  char name[7];
  for (int i = 0; i < 7; ++i) name[i] = static_cast<char>(result.text[i]);
  expect(std::strcmp(name, "abcdef") == 0, "text");

  int host_counter = 0;
  float host_table[8] = {};
  CHECK(cudaMemcpyFromSymbol(&host_counter, counter, sizeof host_counter));
  CHECK(cudaMemcpyFromSymbol(host_table, table, sizeof(float), 2 * sizeof(float)));
  expect(host_counter == 99 && host_table[0] == 0.25f, "symbols");
  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, table));
  CHECK(cudaGetSymbolSize(&size, table));
  CHECK(cudaMemcpy(host_table, address, sizeof host_table, cudaMemcpyDeviceToHost));
  expect(size == sizeof host_table && host_table[2] == 0.25f, "symbol address");

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, combine<float, 3>));
  expect(attributes.maxThreadsPerBlock == 1024 && attributes.sharedSizeBytes == 0, "attributes");
  size_t at = 0, bytes = 0;
  CHECK(cudaFuncGetParamInfo((const void*)combine<float, 3>, 8, &at, &bytes));
  expect(at % alignof(Big) == 0 && bytes == sizeof(Big), "place of a parameter");
  int blocks = 0, block_size = 0, grid_size = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, combine<float, 3>, 128, 0));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, combine<float, 3>));
  expect(blocks > 0 && block_size > 0 && grid_size > 0, "occupancy");

  static Largest largest;
  for (int i = 0; i < kLargest; ++i) largest.numbers[i] = i;
  int *device_sum = nullptr, sum = 0;
  CHECK(cudaMalloc(&device_sum, sizeof sum));
  sum_of<<<1, 1>>>(device_sum, largest);
  CHECK(cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost));
  expect(sum == kLargest * (kLargest - 1) / 2, "large parameter");
  CHECK(cudaFree(device_sum));
  CHECK(cudaFree(device_data));
  CHECK(cudaFree(device_result));
}
