// Copies that threads wait for: pipelines of a thread and of a block, barrier objects, and the copies of groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kPieces = 7;

// Each kernel copies kPieces pieces of kThreads ints through shared memory, turned round within a piece.

__global__ void through_thread_pipeline(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int begun = 0, done = 0; done < kPieces; ++done) {
    for (; begun < kPieces && begun < done + 2; ++begun) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&stages[begun % 2][t], in + begun * kThreads + t, sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    __syncthreads();
    out[done * kThreads + t] = stages[done % 2][kThreads - 1 - t];
    pipeline.consumer_release();
    __syncthreads();
  }
}

__global__ void through_block_pipeline(const int* in, int* out) {
  constexpr int kStages = 3;
  __shared__ int stages[kStages][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  for (int begun = 0, done = 0; done < kPieces; ++done) {
    for (; begun < kPieces && begun < done + kStages; ++begun) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stages[begun % kStages], in + begun * kThreads, cuda::aligned_size_t<16>(kThreads * 4),
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[done * kThreads + t] = stages[done % kStages][kThreads - 1 - t];
    pipeline.consumer_release();
  }
}

// The first warp brings, the others take.
template <class Pipeline>
__device__ void bring_and_take(Pipeline& pipeline, int (*stages)[kThreads], const int* in, int* out) {
  const int t = threadIdx.x;
  for (int piece = 0; piece < kPieces; ++piece) {
    int* stage = stages[piece % 2];
    if (t < 32) {
      pipeline.producer_acquire();
      for (int i = t; i < kThreads; i += 32)
        cuda::memcpy_async(stage + i, in + piece * kThreads + i, sizeof(int), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      out[piece * kThreads + t - 32] = stage[kThreads - 1 - (t - 32)];
      pipeline.consumer_release();
    }
  }
}

__global__ void through_roles(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state, role);
  bring_and_take(pipeline, stages, in, out);
}

__global__ void through_counted_producers(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state, 32);
  bring_and_take(pipeline, stages, in, out);
}

__global__ void through_barrier(const int* in, int* out) {
  __shared__ int piece[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  block.sync();
  for (int i = 0; i < kPieces; ++i) {
    cuda::memcpy_async(block, piece, in + i * kThreads, sizeof piece, barrier);
    barrier.arrive_and_wait();
    out[i * kThreads + threadIdx.x] = piece[kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

__global__ void through_groups(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stages[0], in, sizeof stages[0]);
  for (int i = 0; i < kPieces; ++i) {
    if (i + 1 < kPieces) {
      cg::memcpy_async(block, stages[(i + 1) % 2], size_t{kThreads}, in + (i + 1) * kThreads, size_t{kThreads});
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    out[i * kThreads + threadIdx.x] = stages[i % 2][kThreads - 1 - threadIdx.x];
    block.sync();
  }
}

// A row for each tile. (Of fewer values than a tile has threads, nvcc's header has some copied by several threads.)
__global__ void through_tiles(const int* in, int* out) {
  __shared__ int rows[kThreads / 16][16];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int* row = rows[threadIdx.x / 16];
  cg::memcpy_async(tile, row, in + threadIdx.x / 16 * 16, 16 * sizeof(int));
  cg::wait(tile);
  out[threadIdx.x] = row[15 - threadIdx.x % 16];
}

int main() {
  constexpr int kCount = kPieces * kThreads;
  int in[kCount], out[kCount], *device_in, *device_out;
  for (int i = 0; i < kCount; ++i) in[i] = 3 * i + 1;
  CHECK(cudaMalloc(&device_in, sizeof in));
  CHECK(cudaMalloc(&device_out, sizeof out));
  CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  struct Row {
    void (*kernel)(const int*, int*);
    const char* name;
    int written;  // of each piece
  };
  const Row rows[] = {{through_thread_pipeline, "pipeline of a thread", kThreads},
                      {through_block_pipeline, "pipeline of a block", kThreads},
                      {through_roles, "producers and consumers", 32},
                      {through_counted_producers, "the first threads produce", 32},
                      {through_barrier, "barrier", kThreads},
                      {through_groups, "copies of a block", kThreads}};
  for (const Row& row : rows) {
    CHECK(cudaMemset(device_out, 0, sizeof out));
    row.kernel<<<1, kThreads>>>(device_in, device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < kCount; ++i) {
      const int t = i % kThreads;
      right = right && out[i] == (t < row.written ? in[i - t + kThreads - 1 - t] : 0);
    }
    expect(right, row.name);
  }
  through_tiles<<<1, kThreads>>>(device_in, device_out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, device_out, kThreads * sizeof(int), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < kThreads; ++i) {
    const int from = 15 - i % 16;
    right = right && out[i] == in[i / 16 * 16 + from];
  }
  expect(right, "copies of tiles");
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
}
