// new and delete on both sides, addresses of one state space in inline PTX, and the primitives of
// cuda_pipeline_primitives.h.
#include <cuda_pipeline_primitives.h>

#include <cstring>
#include <memory>
#include <new>

#include "check.h"

struct Node {
  int value;
  Node* next;
  __device__ Node(int value, Node* next) : value(value), next(next) {}
};

struct alignas(64) Line {
  int values[16];
};

// Threads delete what others made, so that no compiler can do without the heap.
__global__ void heap(int* out) {
  __shared__ int* arrays[32];
  __shared__ Node* lists[32];
  const int lane = threadIdx.x, other = 31 - lane;
  arrays[lane] = new int[lane + 1];
  for (int i = 0; i <= lane; ++i) arrays[lane][i] = lane;
  lists[lane] = nullptr;
  for (int i = 0; i < 3; ++i) lists[lane] = new Node(lane + i, lists[lane]);
  alignas(Node) char place[sizeof(Node)];
  const Node* const placed = new (place) Node(1000, nullptr);
  bool aligned = true;
#if defined(__clang__)  // nvcc calls a function of the device runtime, which the virtual GPU lacks
  Line *const line = new Line, *const lines = new Line[2];
  line->values[15] = lines[1].values[15] = lane;
  aligned = reinterpret_cast<size_t>(line) % alignof(Line) == 0 &&
            reinterpret_cast<size_t>(lines) % alignof(Line) == 0 && line->values[15] + lines[1].values[15] == 2 * lane;
  delete line;
  delete[] lines;
#endif
  __syncthreads();
  int sum = placed->value;
  for (int i = 0; i <= other; ++i) sum += arrays[other][i];
  delete[] arrays[other];
  for (Node* node = lists[other]; node != nullptr;) {
    sum += node->value;
    Node* const next = node->next;
    delete node;
    node = next;
  }
  out[lane] = aligned ? sum : -1;
}

__device__ void* kept;

__global__ void take(size_t bytes) {
  kept = malloc(bytes);
}

__global__ void give_back(int* out) {
  *out = kept != nullptr;
  free(kept);
}

__global__ void address_spaces(const int* in, int* out) {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  int value;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(in + lane)));
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(values + lane));
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(shared), "r"(value) : "memory");
  __syncthreads();
  const size_t neighbour = __cvta_generic_to_shared(values) + (lane ^ 1) * sizeof(int);
  const size_t result = __cvta_generic_to_global(out + lane);
  *static_cast<int*>(__cvta_global_to_generic(result)) = *static_cast<int*>(__cvta_shared_to_generic(neighbour));
}

constexpr int kCopies = 7;

__global__ void pipeline(const int4* in, int4* out) {
  __shared__ int4 copies[kCopies];
  if (threadIdx.x < kCopies) copies[threadIdx.x] = make_int4(-1, -1, -1, -1);
  __syncthreads();
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(copies, in, 4);
    __pipeline_memcpy_async(copies + 1, in, 8);
    __pipeline_memcpy_async(copies + 2, in, 16);
    __pipeline_commit();
    __pipeline_memcpy_async(copies + 3, in, 16, 16);
    __pipeline_memcpy_async(copies + 4, in, 16, 4);
    __pipeline_memcpy_async(copies + 5, in, 8, 8);
    __pipeline_memcpy_async(copies + 6, in, 4, 1);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  if (threadIdx.x < kCopies) out[threadIdx.x] = copies[threadIdx.x];
}

int main() {
  int *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, 32 * sizeof(int)));
  CHECK(cudaMalloc(&device_out, 32 * sizeof(int)));
  const std::unique_ptr<int[]> in(new int[32]);
  int* const out = new int[32];
  for (int i = 0; i < 32; ++i) in[i] = 0x01010101 * (i + 1);
  CHECK(cudaMemcpy(device_in, in.get(), 32 * sizeof(int), cudaMemcpyHostToDevice));

  heap<<<1, 32>>>(device_out);
  CHECK(cudaMemcpy(out, device_out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < 32; ++i) {
    const int other = 31 - i;
    right = right && out[i] == 1000 + other * (other + 1) + 3 * other + 3;
  }
  expect(right, "new and delete");

  address_spaces<<<1, 32>>>(device_in, device_out);
  CHECK(cudaMemcpy(out, device_out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  right = true;
  for (int i = 0; i < 32; ++i) right = right && out[i] == in[i ^ 1];
  expect(right, "address spaces");

  pipeline<<<1, 32>>>(reinterpret_cast<const int4*>(device_in), reinterpret_cast<int4*>(device_out));
  CHECK(cudaMemcpy(out, device_out, kCopies * sizeof(int4), cudaMemcpyDeviceToHost));
  const int a = in[0], b = in[1], c = in[2], d = in[3];
  const int copies[kCopies][4] = {{a, -1, -1, -1}, {a, b, -1, -1}, {a, b, c, d},          {0, 0, 0, 0},
                                  {a, b, c, 0},    {0, 0, -1, -1}, {0x010101, -1, -1, -1}};
  expect(std::memcmp(out, copies, sizeof copies) == 0, "pipeline");

  int fits[2];
  for (int& each : fits) {
    take<<<1, 1>>>(size_t{16} << 20);
    give_back<<<1, 1>>>(device_out);
    CHECK(cudaMemcpy(&each, device_out, sizeof each, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{32} << 20));
  }
  expect(fits[0] == 0 && fits[1] == 1, "a larger heap");

  delete[] out;
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
}
