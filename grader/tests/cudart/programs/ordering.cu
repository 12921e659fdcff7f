// Every operation that threads meet in, between a store and a load of a variable in shared memory: neither may move
// over it. The test also looks at the PTX of these kernels.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "check.h"

namespace cg = cooperative_groups;

// The last of the threads writes, all read.
#define KERNEL(name, operation)                              \
  extern "C" __global__ void name(const int* in, int* out) { \
    __shared__ int cell;                                     \
    __shared__ int other;                                    \
    if (threadIdx.x == 0) other = 1;                         \
    if (threadIdx.x == blockDim.x - 1) cell = in[0];         \
    operation;                                               \
    out[threadIdx.x] = cell + (other > 1000 ? other : 0);    \
  }

KERNEL(of_syncthreads, __syncthreads())
KERNEL(of_syncthreads_count, __syncthreads_count(in[1]))
KERNEL(of_syncthreads_and, __syncthreads_and(in[1]))
KERNEL(of_syncthreads_or, __syncthreads_or(in[1]))
KERNEL(of_block, cg::this_thread_block().sync())
KERNEL(of_cg_sync, cg::sync(cg::this_thread_block()))
KERNEL(of_syncwarp, __syncwarp())
KERNEL(of_tile, cg::tiled_partition<32>(cg::this_thread_block()).sync())
KERNEL(of_coalesced, cg::coalesced_threads().sync())
KERNEL(of_shfl, out[64 + threadIdx.x] = __shfl_sync(0xffffffffu, in[threadIdx.x], 1))
KERNEL(of_shfl_up, out[64 + threadIdx.x] = __shfl_up_sync(0xffffffffu, in[threadIdx.x], 1))
KERNEL(of_shfl_down, out[64 + threadIdx.x] = __shfl_down_sync(0xffffffffu, in[threadIdx.x], 1))
KERNEL(of_shfl_xor, out[64 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, in[threadIdx.x], 1))
KERNEL(of_all, out[64 + threadIdx.x] = __all_sync(0xffffffffu, in[threadIdx.x]))
KERNEL(of_any, out[64 + threadIdx.x] = __any_sync(0xffffffffu, in[threadIdx.x]))
KERNEL(of_uni, out[64 + threadIdx.x] = __uni_sync(0xffffffffu, in[threadIdx.x]))
KERNEL(of_ballot, out[64 + threadIdx.x] = static_cast<int>(__ballot_sync(0xffffffffu, in[threadIdx.x])))
KERNEL(of_match_any, out[64 + threadIdx.x] = static_cast<int>(__match_any_sync(0xffffffffu, in[threadIdx.x])))
KERNEL(of_match_all, out[64 + threadIdx.x] = static_cast<int>(__match_all_sync(0xffffffffu, in[threadIdx.x],
                                                                               out + 128 + threadIdx.x)))
KERNEL(of_threadfence, __threadfence())
KERNEL(of_threadfence_block, __threadfence_block())
KERNEL(of_threadfence_system, __threadfence_system())
KERNEL(of_atomic_add, atomicAdd(out + 32, 1))
KERNEL(of_atomic_add_block, atomicAdd_block(out + 32, 1))
KERNEL(of_atomic_add_double, atomicAdd(reinterpret_cast<double*>(out + 32), 1.0))
KERNEL(of_atomic_inc, atomicInc(reinterpret_cast<unsigned int*>(out + 32), 7u))
KERNEL(of_atomic_max, atomicMax(out + 32, 1))
KERNEL(of_atomic_exchange, atomicExch(out + 32, 1))
KERNEL(of_atomic_cas, atomicCAS(out + 32, 0, 1))
KERNEL(of_pipeline, (__pipeline_commit(), __pipeline_wait_prior(0)))

using Kernel = void (*)(const int*, int*);

struct Case {
  const char* name;
  Kernel kernel;
  int threads;
};

#define CASE(name, threads) \
  { #name, name, threads }

int main() {
  // Those of the warp have one, and those that order the accesses of one thread have one thread.
  const Case cases[] = {CASE(of_syncthreads, 256),
                        CASE(of_syncthreads_count, 256),
                        CASE(of_syncthreads_and, 256),
                        CASE(of_syncthreads_or, 256),
                        CASE(of_block, 256),
                        CASE(of_cg_sync, 256),
                        CASE(of_syncwarp, 32),
                        CASE(of_tile, 32),
                        CASE(of_coalesced, 32),
                        CASE(of_shfl, 32),
                        CASE(of_shfl_up, 32),
                        CASE(of_shfl_down, 32),
                        CASE(of_shfl_xor, 32),
                        CASE(of_all, 32),
                        CASE(of_any, 32),
                        CASE(of_uni, 32),
                        CASE(of_ballot, 32),
                        CASE(of_match_any, 32),
                        CASE(of_match_all, 32),
                        CASE(of_threadfence, 1),
                        CASE(of_threadfence_block, 1),
                        CASE(of_threadfence_system, 1),
                        CASE(of_atomic_add, 1),
                        CASE(of_atomic_add_block, 1),
                        CASE(of_atomic_add_double, 1),
                        CASE(of_atomic_inc, 1),
                        CASE(of_atomic_max, 1),
                        CASE(of_atomic_exchange, 1),
                        CASE(of_atomic_cas, 1),
                        CASE(of_pipeline, 1)};
  int *in, *out, result[256];
  CHECK(cudaMalloc(&in, sizeof result));
  CHECK(cudaMalloc(&out, sizeof result));
  for (int& value : result) value = 77;
  CHECK(cudaMemcpy(in, result, sizeof result, cudaMemcpyHostToDevice));
  for (const Case& each : cases) {
    CHECK(cudaMemset(out, 0, sizeof result));
    each.kernel<<<1, each.threads>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < each.threads; ++i) right = right && result[i] == 77;
    if (!right) expect(false, each.name);
  }
  expect(true, "order");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
