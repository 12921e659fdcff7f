// Streams, events and page-locked memory: what arrives when.
#include "check.h"

__global__ void fill(int* to, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}

int main() {
  const int n = 100000;
  int *device, *host;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  CHECK(cudaMallocHost(&host, n * sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  host[0] = host[n - 1] = -1;
  CHECK(cudaEventRecord(begin, stream));
  fill<<<(n + 255) / 256, 256, 0, stream>>>(device, 7, n);
  CHECK(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));  // comes later
  CHECK(cudaEventRecord(end, stream));
  expect(host[0] == -1 && host[n - 1] == -1, "not there before the wait");  // reads too early
  CHECK(cudaStreamSynchronize(stream));
  expect(host[0] == 7 && host[n - 1] == 7, "there after the wait");
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  expect(milliseconds > 0 && milliseconds < 60000, "time");
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(host));
}
