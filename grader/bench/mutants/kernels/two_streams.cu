// Two streams: one squares, the other adds up what was squared, ordered by events. Right, because each stream waits for
// the event that was recorded behind what it needs, and the host waits for the stream that it copies in.
#include <cuda_runtime.h>

#include <vector>

constexpr int kCount = 512, kBytes = kCount * sizeof(int), kRounds = 2;

__global__ void square(const int* in, int* squares, int add) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = in[i] * in[i] + add;
}

__global__ void accumulate(const int* squares, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] += squares[i];
}

int main() {
  std::vector<int> in(kCount), sums(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 100;
  int *d_in = nullptr, *d_squares = nullptr, *d_sums = nullptr;
  cudaMalloc(&d_in, kBytes);
  cudaMalloc(&d_squares, kBytes);
  cudaMalloc(&d_sums, kBytes);
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t squared = nullptr, added = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&squared, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&added, cudaEventDisableTiming);
  cudaMemcpyAsync(d_in, in.data(), kBytes, cudaMemcpyHostToDevice, first);
  cudaMemsetAsync(d_sums, 0, kBytes, second);
  for (int round = 0; round < kRounds; ++round) {
    // MUTANT stream-changed `0, first` -> `0, second` (order): the event of the first stream says nothing of this
    // kernel, and its input is copied in the first stream.
    square<<<4, 128, 0, first>>>(d_in, d_squares, round);
    // MUTANT order-dropped (order): the second stream waits for an event that was not recorded, which is no wait.
    // MUTANT order-moved `-1` (order): the event is recorded before the kernel that it stands for.
    cudaEventRecord(squared, first);
    // MUTANT order-dropped (order): the squares are read while they are computed.
    // MUTANT order-duplicated (none): waiting twice is waiting.
    cudaStreamWaitEvent(second, squared, 0);
    accumulate<<<4, 128, 0, second>>>(d_squares, d_sums);
    cudaEventRecord(added, second);
    // MUTANT order-dropped (order): the next round's squares are written while the second stream still reads.
    cudaStreamWaitEvent(first, added, 0);
  }
  // MUTANT stream-changed `, second)` -> `, first)` (none): the first stream has waited for the last event of the
  // second one, and a copy to pageable memory returns when it is done.
  cudaMemcpyAsync(sums.data(), d_sums, kBytes, cudaMemcpyDeviceToHost, second);
  // MUTANT order-strengthened `cudaStreamSynchronize(second)` -> `cudaDeviceSynchronize()` (none): waits for all
  // streams.
  const cudaError_t error = cudaStreamSynchronize(second);
  // MUTANT free-early `-2` (lifetime): the sums are freed before they are copied.
  cudaFree(d_sums);
  cudaFree(d_in);
  cudaFree(d_squares);
  cudaEventDestroy(squared);
  cudaEventDestroy(added);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  if (error != cudaSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    if (sums[i] != 2 * in[i] * in[i] + 1) return 1;
  }
  return 0;
}
