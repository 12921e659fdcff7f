// The ways to wait at a barrier object.
#include <cuda/barrier>

#include "check.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 96, kRounds = 5;

// In each kernel a thread's element moves to its neighbour kRounds times.

__global__ void by_token(int* values) {
  __shared__ int shared[2][kThreads];
  __shared__ Barrier barrier;
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, kThreads);
  shared[0][t] = values[t];
  __syncthreads();
  for (int round = 0; round < kRounds; ++round) {
    shared[(round + 1) % 2][(t + 1) % kThreads] = shared[round % 2][t];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
  values[t] = shared[kRounds % 2][t];
}

// The lanes of a warp come by different ways, and some arrive for others.
__global__ void by_parity(int* values) {
  __shared__ int shared[2][kThreads];
  __shared__ Barrier barrier;
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, kThreads);
  shared[0][t] = values[t];
  __syncthreads();
  for (int round = 0; round < kRounds; ++round) {
    shared[(round + 1) % 2][(t + 1) % kThreads] = shared[round % 2][t];
    __syncwarp();
    if (t % 4 == 0) {
      (void)barrier.arrive(2);
    } else if (t % 4 != 1) {
      (void)barrier.arrive();
    }
    barrier.wait_parity(round % 2 != 0);
  }
  values[t] = shared[kRounds % 2][t];
}

// The first warp only brings values, and is not expected when it has brought all.
__global__ void by_roles(int* values) {
  __shared__ int shared[kThreads - 32];
  __shared__ Barrier full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&full, kThreads);
    init(&empty, kThreads);
  }
  __syncthreads();
  if (t < 32) {
    for (int round = 0; round < kRounds; ++round) {
      empty.arrive_and_wait();
      for (int i = t; i < kThreads - 32; i += 32) shared[i] = round * 1000 + i;
      (void)full.arrive();
    }
    full.arrive_and_drop();
  } else {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) {
      (void)empty.arrive();
      full.arrive_and_wait();
      sum += shared[kThreads - 1 - t];
    }
    full.arrive_and_wait();
    full.arrive_and_wait();  // without the first warp
    values[t] = sum;
  }
}

int main() {
  int values[kThreads], *device;
  CHECK(cudaMalloc(&device, sizeof values));
  const auto run = [&](void (*kernel)(int*)) {
    for (int i = 0; i < kThreads; ++i) values[i] = i;
    CHECK(cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice));
    kernel<<<1, kThreads>>>(device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
  };
  const auto moved = [&] {
    bool right = true;
    for (int i = 0; i < kThreads; ++i) right = right && values[i] == (i + kThreads - kRounds) % kThreads;
    return right;
  };
  run(by_token);
  expect(moved(), "by token");
  run(by_parity);
  expect(moved(), "by parity");
  run(by_roles);
  bool right = true;
  for (int i = 32; i < kThreads; ++i)
    right = right && values[i] == kRounds * (kThreads - 1 - i) + 1000 * (kRounds * (kRounds - 1) / 2);
  expect(right, "by roles");
  CHECK(cudaFree(device));
}
