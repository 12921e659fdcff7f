// The kernels the benchmark times: the textbook forms, so that the figures compare with published ones.
#include <cuda_runtime.h>

extern "C" __global__ void naive_product(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}

constexpr int kTile = 16;

extern "C" __global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < (n + kTile - 1) / kTile; ++phase) {
    const int a_col = phase * kTile + threadIdx.x;
    const int b_row = phase * kTile + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < n && a_col < n ? a[row * n + a_col] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = b_row < n && col < n ? b[b_row * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

extern "C" __global__ void block_reduction(const float* in, float* out, int n) {
  __shared__ float partial[256];
  const int thread = threadIdx.x;
  const int at = blockIdx.x * blockDim.x + thread;
  partial[thread] = at < n ? in[at] : 0.0f;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (thread < stride) partial[thread] += partial[thread + stride];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}

constexpr int kBins = 256;

extern "C" __global__ void histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned bins[kBins];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n; at += gridDim.x * blockDim.x) {
    atomicAdd(&bins[in[at] % kBins], 1u);
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

constexpr int kSorted = 256;  // elements a block sorts, one a thread

extern "C" __global__ void merge_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned runs[2][kSorted];
  const int thread = threadIdx.x;
  int from = 0;
  runs[from][thread] = in[blockIdx.x * kSorted + thread];
  __syncthreads();
  for (int run = 1; run < kSorted; run *= 2) {
    const int own = thread / run * run, other = own ^ run;
    const unsigned value = runs[from][thread];
    int low = 0, high = run;  // how many of the other run come before this value
    while (low < high) {
      const int middle = (low + high) / 2;
      const unsigned there = runs[from][other + middle];
      if (there < value || (there == value && other < own)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    runs[1 - from][(own & other) + thread - own + low] = value;
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * kSorted + thread] = runs[from][thread];
}
