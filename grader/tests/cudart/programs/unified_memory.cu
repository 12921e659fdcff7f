// Unified memory as tutorials use it: arrays, structures that point to others, prefetches, copies.
#include <cstring>
#include <numeric>

#include "check.h"

__global__ void add(int n, const float* x, float* y) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] + y[i];
}

struct Node {
  int value;
  Node* next;
};

__global__ void double_all(Node* node) {
  for (; node != nullptr; node = node->next) node->value *= 2;
}

__global__ void count_with_host(int* counter) {
  atomicAdd_system(counter, 1);
}

struct Matrix {
  int rows, columns;
  float* elements;
};

__global__ void row_sums(const Matrix* matrix, float* sums) {
  const int row = threadIdx.x;
  float sum = 0;
  for (int column = 0; column < matrix->columns; ++column) sum += matrix->elements[row * matrix->columns + column];
  sums[row] = sum;
}

int main() {
  constexpr int kCount = 100'000;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMallocManaged(&x, kCount * sizeof(float)));
  CHECK(cudaMallocManaged(&y, kCount * sizeof(float)));
  for (int i = 0; i < kCount; ++i) {
    x[i] = 1;
    y[i] = 2;
  }
  int device = 0;
  CHECK(cudaGetDevice(&device));
#if defined(__NVCC__) && CUDART_VERSION >= 13000
  CHECK(cudaMemPrefetchAsync(x, kCount * sizeof(float), {cudaMemLocationTypeDevice, device}, 0, nullptr));
#else
  CHECK(cudaMemPrefetchAsync(x, kCount * sizeof(float), device, nullptr));
#endif
  for (int step = 0; step < 5; ++step) {
    add<<<32, 256>>>(kCount, x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    x[step] += 1;  // for the next step
  }
  expect(y[kCount - 1] == 7 && y[0] == 11, "steps");
  expect(std::accumulate(y, y + kCount, 0.0f) == 7 * kCount + 4 + 3 + 2 + 1, "library functions on the host");

  Node *list = nullptr, *last = nullptr;
  for (int i = 0; i < 10; ++i) {
    Node** const place = last == nullptr ? &list : &last->next;  // itself in unified memory
    CHECK(cudaMallocManaged(place, sizeof(Node)));
    last = *place;
    last->value = i;
    last->next = nullptr;
  }
  double_all<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize());
  int sum = 0;
  for (const Node* node = list; node != nullptr; node = node->next) sum += node->value;
  expect(sum == 90, "list");
  while (list != nullptr) {
    Node* const next = list->next;
    CHECK(cudaFree(list));
    list = next;
  }

  int* counter = nullptr;
  CHECK(cudaMallocManaged(&counter, sizeof(int)));
  *counter = 5;
  count_with_host<<<2, 32>>>(counter);
  __atomic_fetch_add(counter, 100, __ATOMIC_RELAXED);  // at the same time
  CHECK(cudaDeviceSynchronize());
  expect(*counter == 169, "atomics of host and device");
  CHECK(cudaFree(counter));

  Matrix* matrix = nullptr;
  CHECK(cudaMallocManaged(&matrix, sizeof *matrix));
  matrix->rows = 4;
  matrix->columns = 3;
  CHECK(cudaMallocManaged(&matrix->elements, 12 * sizeof(float)));
  const float ones[12] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
  std::memcpy(matrix->elements, ones, sizeof ones);
  float sums[4], *managed_sums = nullptr, *device_sums = nullptr;
  CHECK(cudaMallocManaged(&managed_sums, sizeof sums));
  CHECK(cudaMalloc(&device_sums, sizeof sums));
  row_sums<<<1, 4>>>(matrix, device_sums);
  CHECK(cudaMemcpy(managed_sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost));
  std::memcpy(sums, managed_sums, sizeof sums);
  expect(sums[0] == 3 && sums[3] == 12, "structure");
  CHECK(cudaFree(matrix->elements));
  CHECK(cudaFree(matrix));
  CHECK(cudaFree(managed_sums));
  CHECK(cudaFree(device_sums));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}
