#include "copy.h"

#include <cuda_runtime.h>

void copy_floats(const float* d_in, float* d_out, int n) {
  cudaMemcpyAsync(d_out, d_in, static_cast<size_t>(n) * sizeof(float), cudaMemcpyDeviceToDevice);
}

void device_facts(int* facts) {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&facts[0], cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&facts[1], cudaDevAttrClockRate, 0);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  facts[2] = 10 * major + minor;
  cudaDeviceGetAttribute(&facts[3], cudaDevAttrL2CacheSize, 0);
}
