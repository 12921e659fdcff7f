// The source of tour.*.ptx: a little of everything that shapes PTX. Compiled by clang alone (it declares what it needs
// itself) and by nvcc.
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#include "__clang_cuda_builtin_vars.h"
extern "C" __device__ int vprintf(const char*, const char*);
#else
#include <cstdio>
#define vprintf(format, arguments) printf(format, n, 2.5)
#endif

struct Record {
  int words[5];
  double number;
  char letter;
};

__constant__ float weights[8] = {1.f, 2.5f, -3e-9f};
__device__ int counts[4][3] = {{1, 2, 3}, {4}, {5, 6}};
__device__ Record record = {{1, 2, 3, 4, 5}, 2.5, 'x'};
__device__ unsigned char bytes[] = {1, 2, 3, 255};

__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ Record make_record(int n) {
  Record r;
  for (int i = 0; i < 5; ++i) r.words[i] = n + i;
  r.number = n;
  r.letter = 'y';
  return r;
}

using Operation = int (*)(int);
__device__ int increment(int x) { return x + 1; }
__device__ int twice(int x) { return x * 2; }
__device__ int less_three(int x) { return x - 3; }
__device__ Operation table[3] = {increment, twice, less_three};

template <class T, int N>
__device__ T sum(const T* values) {
  T total = 0;
  for (int i = 0; i < N; ++i) total += values[i];
  return total;
}

extern __shared__ unsigned char pool[];

__global__ void calls(Record r, int* out, int n) {
  const Record made = make_record(n);
  out[0] = made.words[n % 5] + r.words[1] + factorial(n) + table[n % 3](n) + sum<int, 4>(out + 1);
  switch (n) {
    case 0: out[0] = 1; break;
    case 1: out[1] = 5; break;
    case 2: out[2] = 8; break;
    case 3: out[4] = 3; break;
    case 4: out[1] = 9; break;
    case 5: out[7] = 7; break;
    case 9: out[4]++; break;
  }
  struct { int n; double d; } arguments = {n, 2.5};
  if (n > 100) vprintf("n=%d %f\n", reinterpret_cast<const char*>(&arguments));
  record.number += counts[n & 3][1] + bytes[n & 3];
}

__global__ __launch_bounds__(256, 2) void tiled(float* out, const long long* in, int n) {
  __shared__ float tile[16][17];
  float local[20];
  for (int i = 0; i < 20; ++i) local[i] = out[i * n];
  tile[threadIdx.y][threadIdx.x] = weights[threadIdx.x & 7];
  pool[threadIdx.x] = static_cast<unsigned char>(n);
  __syncthreads();
  float total = 0;
  for (int i = 0; i < n; ++i) total += local[i % 20] * tile[i & 15][threadIdx.x & 15];
  __syncthreads();
  out[threadIdx.x] = total / 3.f + pool[threadIdx.x ^ 1];
  out[1] = static_cast<float>(in[0] / in[1]) + static_cast<float>(in[2] % 7);
}

__global__ void assembly(int* out, unsigned long long* clock, int n) {
  int x;
  asm volatile(
      "{ .reg .pred p1; .reg .b32 t; setp.gt.s32 p1, %1, 5; selp.b32 t, 1, 2, p1; @p1 bra DONE;"
      " add.s32 t, t, 0x10; DONE: mov.b32 %0, t; }"
      : "=r"(x)
      : "r"(n));
  int y;
  asm volatile("{ .reg .pred p1; setp.lt.s32 p1, %1, 1+2*3; @!p1 bra DONE; DONE: mov.u32 %0, %%laneid; }"
               : "=r"(y)
               : "r"(n));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock[0]));
  asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; add.u32 %0, lo, hi; }" : "=r"(out[1]) : "l"(clock[1]));
  out[0] = x + y;
}
