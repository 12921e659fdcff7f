// Device functions and variables that main.cu uses.
#include "../check.h"
#include "linked.h"

__device__ int visits = 100;
__constant__ int factors[4] = {1, 1, 1, 1};

// main.cu has the same names.
static __device__ int own = 2;
static __device__ int helper(int x) {
  return x + own;
}
static __global__ void keep(int* to) {
  *to = helper(20);
}

__device__ int own_of_tools(int x) {
  return helper(x);
}

__device__ Fraction inverse(Fraction of) {
  return {of.below, static_cast<short>(of.above), of.sign};
}

__device__ void put(int* to, int index, int value) {
  to[index] = value;  // out of bounds
}

__global__ void race(int* to) {
  extern __shared__ int cells[];
  cells[0] = threadIdx.x;  // races
  __syncthreads();
  *to = cells[0] >= 0;
}

__global__ void sum(const int* from, int* to) {
  extern __shared__ int cells[];
  if (threadIdx.x == 0) shared_count() = 0;
  cells[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  atomicAdd(&shared_count(), cells[blockDim.x - 1 - threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *to = shared_count();
}

void fill_in_tools(int* to, int value) {
  fill<<<1, 4>>>(to, value);
  CHECK(cudaGetLastError());
}

void set_factors_in_tools(const int* values) {
  CHECK(cudaMemcpyToSymbol(factors, values, sizeof factors));
}

int visits_by_tools() {
  int value;
  CHECK(cudaMemcpyFromSymbol(&value, visits, sizeof value));
  return value;
}

int own_by_tools() {
  int* device;
  int value;
  CHECK(cudaMalloc(&device, sizeof value));
  keep<<<1, 1>>>(device);
  CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return value;
}

void race_in_tools(int* to) {
  race<<<1, 64, sizeof(int)>>>(to);
  CHECK(cudaGetLastError());
}

void sum_in_tools(const int* from, int* to) {
  sum<<<1, 4, 4 * sizeof(int)>>>(from, to);
  CHECK(cudaGetLastError());
}
