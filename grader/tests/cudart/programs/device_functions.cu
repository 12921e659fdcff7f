// Warp functions, atomics, integer and mathematical functions, printf; compared with the host's results.
#include <algorithm>
#include <cmath>

#include "check.h"

struct Out {
  int shuffled[32], ballot, any, all, popc, clz, ffs, brev, match, count;
  unsigned long long added;
  int exchanged, maximum, compared;
  float math[16];
  double more[8];
  int minmax[8];
  unsigned packed[8];
  float swapped;
  double from_double;
};

__device__ __noinline__ float helper(float x) {
  return x * 2.0f + 1.0f;
}

__global__ void functions(Out* out, float x, double y) {
  const int lane = threadIdx.x;
  int sum = lane;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  out->shuffled[lane] = sum + __shfl_sync(0xffffffffu, lane, 5) + __shfl_up_sync(0xffffffffu, lane, 1) +
                        __shfl_down_sync(0xffffffffu, lane, 2, 16);
  const unsigned ballot = __ballot_sync(0xffffffffu, lane % 3 == 0);
  const int any = __any_sync(0xffffffffu, lane == 7), all = __all_sync(0xffffffffu, lane < 31);
  const unsigned match = __match_any_sync(0xffffffffu, lane / 8);
  const int count = __syncthreads_count(lane < 10);
  atomicAdd(&out->added, 3ull);
  atomicMax(&out->maximum, lane * 7 % 31);
  atomicCAS(&out->compared, 0, lane + 100);
  const double from = __shfl_sync(0xffffffffu, y * lane, 3);
  __syncwarp();
  if (lane != 9) return;
  out->ballot = static_cast<int>(ballot);
  out->any = any;
  out->all = all;
  out->match = static_cast<int>(match);
  out->count = count;
  out->from_double = from;
  out->popc = __popc(0xf0f01234) + __popcll(0xf0f0123400ull);
  out->clz = __clz(0x1234) + __clz(0) + __clzll(1);
  out->ffs = __ffs(0x1230) + __ffs(0) + __ffsll(1ll << 40);
  out->brev = static_cast<int>(__brev(0x12345678));
  out->exchanged = atomicExch(&out->exchanged, 77);
  out->swapped = __int_as_float(__float_as_int(x)) + helper(x);
  float* m = out->math;
  m[0] = sqrtf(x), m[1] = sinf(x), m[2] = cosf(x), m[3] = expf(x), m[4] = logf(x), m[5] = powf(x, 1.5f);
  m[6] = std::sqrt(x), m[7] = fabsf(-x), m[8] = floorf(x), m[9] = rsqrtf(x), m[10] = fmaf(x, x, x), m[11] = __expf(x);
  m[12] = tanhf(x), m[13] = fmaxf(x, 3.0f), m[14] = std::abs(-x), m[15] = __fdividef(x, 4.0f);
  double* d = out->more;
  d[0] = sqrt(y), d[1] = sin(y), d[2] = std::exp(y), d[3] = fma(y, y, 1.0), d[4] = pow(y, 3.0), d[5] = fmin(y, 0.5);
  d[6] = ceil(y), d[7] = std::log(y);
  int* i = out->minmax;
  i[0] = min(3, -4), i[1] = max(3, -4), i[2] = static_cast<int>(min(3u, 4u)), i[3] = max(lane, 4), i[4] = abs(-9);
  i[5] = __mulhi(1 << 30, 1 << 10), i[6] = static_cast<int>(max(2.5f, 1.0f)), i[7] = static_cast<int>(min(2.5, 1.0));
  const unsigned a = 0x01ff0080u + (lane - 9), b = 0x03000180u, h = 0x80000000u + (lane - 9);
  unsigned* p = out->packed;
  p[0] = __vabsdiffu4(a, b), p[1] = __vabsdiffs4(a, b), p[2] = __vsadu4(a, b), p[3] = __vsads4(a, b);
  p[4] = __vabsdiffu2(a, b), p[5] = __vabsdiffs2(h, 0x7fffffffu), p[6] = __vsadu2(a, b), p[7] = __vsads2(h, 0x7fffffffu);
  printf("from thread %d: %s %5.2f %lld %c%%\n", lane, "text", y, 1ll << 40, 'x');
}

static bool near(double got, double want, double tolerance) {
  if (std::fabs(got - want) <= tolerance * std::fabs(want)) return true;
  std::printf("%g, not %g\n", got, want);
  return false;
}

int main() {
  Out* device;
  static Out out;
  CHECK(cudaMalloc(&device, sizeof out));
  CHECK(cudaMemset(device, 0, sizeof out));
  const float x = 1.75f;
  const double y = 0.625;
  functions<<<1, 32>>>(device, x, y);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&out, device, sizeof out, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int lane = 0; lane < 32; ++lane)
    right = right && out.shuffled[lane] == 496 + 5 + std::max(lane - 1, 0) + (lane % 16 < 14 ? lane + 2 : lane);
  expect(right, "shuffles");
  expect(out.ballot == 0x49249249 && out.any == 1 && out.all == 0 && out.match == 0xff00 && out.count == 10, "votes");
  expect(out.from_double == 3 * y, "double shuffle");
  expect(out.added == 96 && out.maximum == 30 && out.compared >= 100 && out.exchanged == 0, "atomics");
  expect(out.popc == 13 + 13 && out.clz == 19 + 32 + 63 && out.ffs == 5 + 0 + 41 && out.brev == 0x1e6a2c48, "bits");
  expect(out.swapped == x + 2 * x + 1, "reinterpretation");
  const double math[16] = {std::sqrt(x),
                           std::sin(x),
                           std::cos(x),
                           std::exp(x),
                           std::log(x),
                           std::pow(x, 1.5),
                           std::sqrt(x),
                           x,
                           1,
                           1 / std::sqrt(x),
                           x * x + x,
                           std::exp(x),
                           std::tanh(x),
                           3,
                           x,
                           x / 4};
  right = true;
  for (int i = 0; i < 16; ++i) right = near(out.math[i], math[i], 1e-5) && right;
  expect(right, "single precision");
  const double more[8] = {std::sqrt(y), std::sin(y), std::exp(y), y * y + 1, y * y * y, 0.5, 1, std::log(y)};
  right = true;
  for (int i = 0; i < 8; ++i) right = near(out.more[i], more[i], 1e-13) && right;
  expect(right, "double precision");
  const int minmax[8] = {-4, 3, 3, 9, 9, 256, 2, 1};
  right = true;
  for (int i = 0; i < 8; ++i) right = right && out.minmax[i] == minmax[i];
  expect(right, "min and max");
  const unsigned packed[8] = {0x02ff0100, 0x02010100, 258, 4, 0x01010100, 0xffff0001, 0x201, 0x10000};
  right = true;
  for (int i = 0; i < 8; ++i) right = right && out.packed[i] == packed[i];
  expect(right, "packed differences");
  CHECK(cudaFree(device));
}
