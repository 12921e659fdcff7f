// Parts of page-locked arrays are copied, changed and copied back in a stream each. Right, because all work on a part
// is in one stream, the parts do not overlap, and the host waits for each stream before it reads.
#include <cuda_runtime.h>

constexpr int kParts = 3, kPart = 256, kCount = kParts * kPart, kPartBytes = kPart * sizeof(int);

__global__ void change(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 3 * values[i] + 1;
}

int main() {
  int *in = nullptr, *out = nullptr, *d_values = nullptr;
  cudaMallocHost(&in, kCount * sizeof(int));
  cudaMallocHost(&out, kCount * sizeof(int));
  cudaMalloc(&d_values, kCount * sizeof(int));
  cudaStream_t streams[kParts] = {};
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < kCount; ++i) in[i] = i;
  for (int part = 0; part < kParts; ++part) {
    int* values = d_values + part * kPart;
    // MUTANT stream-changed `streams[part]` -> `streams[(part + 1) % kParts]` (order): the kernel does not wait for the
    // copy.
    // MUTANT copy-shortened (uninitialised): the kernel reads values that were never written.
    cudaMemcpyAsync(values, in + part * kPart, kPartBytes, cudaMemcpyHostToDevice, streams[part]);
    // MUTANT stream-changed `0, streams[part]` -> `0, streams[0]` (order): parts 1 and 2 are changed in a stream that
    // waits for no copy.
    // MUTANT grid-changed `kPart / 128` -> `kPart / 128 + 1` (order|bounds): a block more changes the next part, which
    // another stream works on; behind the last part there is no memory.
    change<<<kPart / 128, 128, 0, streams[part]>>>(values);
    // MUTANT stream-changed `streams[part]` -> `0` (order): the streams do not wait for the default stream, nor it for
    // them.
    cudaMemcpyAsync(out + part * kPart, values, kPartBytes, cudaMemcpyDeviceToHost, streams[part]);
  }
  cudaError_t error = cudaSuccess;
  // MUTANT order-dropped (order): the host reads results that may still be on their way.
  // MUTANT order-duplicated (none): waiting twice is waiting.
  // MUTANT order-strengthened `cudaStreamSynchronize(stream)` -> `cudaDeviceSynchronize()` (none): waits for all
  // streams.
  // MUTANT order-moved `3` (order): the host reads the results, and waits then.
  for (cudaStream_t stream : streams) error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
  if (error != cudaSuccess) return 2;
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += out[i] != 3 * i + 1;
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(d_values);
  cudaFreeHost(in);
  cudaFreeHost(out);
  return wrong == 0 ? 0 : 1;
}
