// Page-locked memory in kernels: allocated, and registered in the middle of the program's own.
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kCount = 3000;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void count(int* total) {
  atomicAdd(total, 1);
}

struct Rows {
  const float* from[2];
  float* to;
};

__global__ void multiply(const Rows* rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows->to[i] = rows->from[0][i] * rows->from[1][i];
}

void add_on_device(const float* a, const float* b, float* c) {
  add<<<(kCount + 255) / 256, 256>>>(a, b, c, kCount);
  CHECK(cudaDeviceSynchronize());
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  expect(properties.canMapHostMemory == 1 && properties.unifiedAddressing == 1, "device");
  float *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK(cudaMallocHost(&a, kCount * sizeof(float)));
  CHECK(cudaHostAlloc(&b, kCount * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&c, kCount * sizeof(float), cudaHostAllocPortable));
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 1;
  }
  add_on_device(a, b, c);
  bool right = true;
  for (int i = 0; i < kCount; ++i) right = right && c[i] == static_cast<float>(i + 1);
  expect(right, "sum");
  a[kCount - 1] = 5;
  add_on_device(a, b, c);
  expect(c[kCount - 1] == 6 && c[0] == 1, "sum again");

  std::vector<float> own(kCount + 10, 2);
  float* const registered = own.data() + 3;  // begins and ends in the middle of pages
  CHECK(cudaHostRegister(registered, kCount * sizeof(float), cudaHostRegisterMapped | cudaHostRegisterPortable));
  float* on_device = nullptr;
  CHECK(cudaHostGetDevicePointer(&on_device, registered, 0));
  add_on_device(registered, a, on_device);
  right = own[2] == 2 && own[kCount + 3] == 2;
  for (int i = 0; i < kCount - 1; ++i) right = right && registered[i] == static_cast<float>(i + 2);
  expect(right, "registered");
  registered[7] = 10;
  add_on_device(registered, b, registered);
  expect(registered[7] == 11 && registered[8] == 11, "registered again");

  Rows rows{{a, registered}, c}, *table = nullptr;
  CHECK(cudaMalloc(&table, sizeof rows));
  CHECK(cudaMemcpy(table, &rows, sizeof rows, cudaMemcpyHostToDevice));
  multiply<<<(kCount + 255) / 256, 256>>>(table, kCount);
  CHECK(cudaDeviceSynchronize());
  expect(c[8] == 88, "pointers in memory");

  int* total = nullptr;
  CHECK(cudaMallocHost(&total, sizeof(int)));
  *total = 5;
  count<<<3, 100>>>(total);
  CHECK(cudaDeviceSynchronize());
  expect(*total == 305, "atomics");

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float* memory = nullptr;
  CHECK(cudaMalloc(&memory, kCount * sizeof(float)));
  add<<<(kCount + 255) / 256, 256, 0, stream>>>(a, b, c, kCount);
  CHECK(cudaMemcpyAsync(memory, c, kCount * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(a, memory, kCount * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(a[8] == 9 && c[8] == 9, "copies");

  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, registered));
  expect(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == registered &&
             attributes.hostPointer == registered,
         "kind of memory");
  CHECK(cudaHostUnregister(registered));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  CHECK(cudaFreeHost(total));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(table));
  CHECK(cudaStreamDestroy(stream));
}
