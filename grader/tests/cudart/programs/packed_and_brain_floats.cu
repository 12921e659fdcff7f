// Values side by side in a word, bfloat16, reductions of a warp, and what of cuda::std kernels use.
#include <cuda_bf16.h>

#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstring>
#include <vector>

#include "check.h"

constexpr int kWords = 64;

// One function a row: its name, its kind, and its value of parts x and y. U: of unsigned parts, S: of signed ones.
#define FUNCTIONS(ROW)                     \
  ROW(vadd, U, x + y)                      \
  ROW(vsub, U, x - y)                      \
  ROW(vaddss, S, clamped<Part>(x + y))     \
  ROW(vaddus, U, clamped<Part>(x + y))     \
  ROW(vsubss, S, clamped<Part>(x - y))     \
  ROW(vsubus, U, clamped<Part>(x - y))     \
  ROW(vhaddu, U, (x + y) / 2)              \
  ROW(vavgu, U, (x + y + 1) / 2)           \
  ROW(vabsdiffs, S, x > y ? x - y : y - x) \
  ROW(vabsdiffu, U, x > y ? x - y : y - x) \
  ROW(vmaxs, S, x > y ? x : y)             \
  ROW(vmaxu, U, x > y ? x : y)             \
  ROW(vmins, S, x > y ? y : x)             \
  ROW(vminu, U, x > y ? y : x)             \
  ROW(vcmpeq, U, -(x == y))                \
  ROW(vcmpne, U, -(x != y))                \
  ROW(vcmpges, S, -(x >= y))               \
  ROW(vcmpgeu, U, -(x >= y))               \
  ROW(vcmpgts, S, -(x > y))                \
  ROW(vcmpgtu, U, -(x > y))                \
  ROW(vcmples, S, -(x <= y))               \
  ROW(vcmpleu, U, -(x <= y))               \
  ROW(vcmplts, S, -(x < y))                \
  ROW(vcmpltu, U, -(x < y))                \
  ROW(vseteq, U, x == y)                   \
  ROW(vsetne, U, x != y)                   \
  ROW(vsetges, S, x >= y)                  \
  ROW(vsetgeu, U, x >= y)                  \
  ROW(vsetgts, S, x > y)                   \
  ROW(vsetgtu, U, x > y)                   \
  ROW(vsetles, S, x <= y)                  \
  ROW(vsetleu, U, x <= y)                  \
  ROW(vsetlts, S, x < y)                   \
  ROW(vsetltu, U, x < y)
#define FUNCTIONS_OF_ONE(ROW)                   \
  ROW(vabs, S, x < 0 ? -x : x)                  \
  ROW(vabsss, S, clamped<Part>(x < 0 ? -x : x)) \
  ROW(vneg, S, -x)                              \
  ROW(vnegss, S, clamped<Part>(-x))

#define COUNT(name, kind, value) +2
constexpr int kRows = 0 FUNCTIONS(COUNT) FUNCTIONS_OF_ONE(COUNT) + 6;

__global__ void packed(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x], b = in[kWords + threadIdx.x];
  out += threadIdx.x;
#define CALL(name, kind, value)            \
  *out = __##name##2(a, b), out += kWords; \
  *out = __##name##4(a, b), out += kWords;
#define CALL_OF_ONE(name, kind, value)  \
  *out = __##name##2(a), out += kWords; \
  *out = __##name##4(a), out += kWords;
  FUNCTIONS(CALL)
  FUNCTIONS_OF_ONE(CALL_OF_ONE)
  *out = __vavgs2(a, b), out += kWords;
  *out = __vavgs4(a, b), out += kWords;
  *out = __vsads2(a, b), out += kWords;
  *out = __vsads4(a, b), out += kWords;
  *out = __vsadu2(a, b), out += kWords;
  *out = __vsadu4(a, b);
}

template <class Part>
int clamped(int value) {
  constexpr int kLeast = std::numeric_limits<Part>::min(), kMost = std::numeric_limits<Part>::max();
  return value < kLeast ? kLeast : value > kMost ? kMost : value;
}

/// The word that `value` makes part by part, by way of memory.
template <class Part, class Value>
unsigned by_parts(unsigned a, unsigned b, Value value) {
  constexpr int kParts = 4 / sizeof(Part);
  Part as[kParts], bs[kParts], results[kParts];
  std::memcpy(as, &a, sizeof a);
  std::memcpy(bs, &b, sizeof b);
  for (int i = 0; i < kParts; ++i)
    results[i] = static_cast<Part>(value(static_cast<int>(as[i]), static_cast<int>(bs[i])));
  unsigned result;
  std::memcpy(&result, results, sizeof result);
  return result;
}

template <class Part>
unsigned sum_of_differences(unsigned a, unsigned b) {
  unsigned sum = 0;
  by_parts<Part>(a, b, [&](int x, int y) {
    sum += static_cast<unsigned>(x > y ? x - y : y - x);
    return 0;
  });
  return sum;
}

// An average of signed values goes from zero where it is not whole and positive, and towards zero where negative.
int signed_average(int x, int y) {
  return (x + y >= 0 ? x + y + 1 : x + y - (x + y) % 2 + 2 * ((x + y) % 2)) >> 1;
}

bool check_packed(const unsigned* in, const unsigned* out) {
  bool right = true;
  const auto check = [&](const char* name, int parts, auto expected) {
    for (int i = 0; i < kWords; ++i) {
      const unsigned wanted = expected(in[i], in[kWords + i]);
      if (out[i] == wanted) continue;
      if (right)
        std::printf("__%s%d(%08x, %08x) is %08x and not %08x\n", name, parts, in[i], in[kWords + i], out[i], wanted);
      right = false;
    }
    out += kWords;
  };
  using U2 = unsigned short;
  using U4 = unsigned char;
  using S2 = short;
  using S4 = signed char;
#define EXPECT_OF(type, parts, name, value)                                     \
  check(#name, parts, [](unsigned a, unsigned b) {                              \
    using Part = type;                                                          \
    return by_parts<Part>(a, b, [](int x, int y) { return (void)y, (value); }); \
  });
#define EXPECT(name, kind, value)    \
  EXPECT_OF(kind##2, 2, name, value) \
  EXPECT_OF(kind##4, 4, name, value)
  FUNCTIONS(EXPECT)
  FUNCTIONS_OF_ONE(EXPECT)
  EXPECT(vavgs, S, signed_average(x, y))
  check("vsads", 2, sum_of_differences<S2>);
  check("vsads", 4, sum_of_differences<S4>);
  check("vsadu", 2, sum_of_differences<U2>);
  check("vsadu", 4, sum_of_differences<U4>);
  return right;
}

__global__ void brain_floats(const float* in, unsigned short* out) {
  const __nv_bfloat16 a = __float2bfloat16(in[threadIdx.x]), b = __float2bfloat16_rn(in[32 + threadIdx.x]);
  const __nv_bfloat162 pair = __hmul2(__halves2bfloat162(a, b), __float2bfloat162_rn(2.0f));
#if defined(__clang__)  // nvcc offers it for later architectures only
  const __nv_bfloat16 fused = __hfma(a, b, a);
#else
  const __nv_bfloat16 fused = __float2bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(a)));
#endif
  const __nv_bfloat16 results[] = {a, a + b, a - b, a * b, fused, __hmax(a, b), __low2bfloat16(pair), __hneg(b)};
  for (const __nv_bfloat16 result : results) {
    out[threadIdx.x] = __bfloat16_as_ushort(result);
    out += 32;
  }
}

unsigned short rounded(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  const unsigned rest = bits & 0xffff;
  bits >>= 16;
  if (rest > 0x8000 || (rest == 0x8000 && bits % 2 == 1)) ++bits;
  return static_cast<unsigned short>(bits);
}
float widened(unsigned short bits) {
  const unsigned word = static_cast<unsigned>(bits) << 16;
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

bool check_brain_floats(const float* in, const unsigned short* out) {
  bool right = true;
  for (int i = 0; i < 32; ++i) {
    const float a = widened(rounded(in[i])), b = widened(rounded(in[32 + i]));
    // All are short enough for sums and products to be exact in float.
    const float expected[] = {a, a + b, a - b, a * b, a * b + a, a > b ? a : b, 2 * a, -b};
    for (int f = 0; f < 8; ++f) right = right && out[32 * f + i] == rounded(expected[f]);
    const __nv_bfloat16 on_host = in[i];
    right = right && __bfloat16_as_ushort(on_host) == out[i] && static_cast<float>(on_host) == a;
  }
  return right;
}

__global__ void reductions(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const int value = static_cast<int>(lane) - 20;
  const unsigned mask = lane < 8 ? 0xffu : 0xffffff00u;
  out[lane] = static_cast<unsigned>(__reduce_add_sync(mask, value));
  out[32 + lane] = static_cast<unsigned>(__reduce_min_sync(mask, value));
  out[64 + lane] = __reduce_max_sync(mask, lane);
  out[96 + lane] = __reduce_or_sync(mask, 1u << lane);
  // Words of 64 bits that differ in the upper half.
  const unsigned long long quarter = static_cast<unsigned long long>(lane / 4) << 32;
  int alike = 0;
  out[128 + lane] = __match_any_sync(mask, quarter);
  out[160 + lane] = __match_all_sync(mask, quarter, &alike);
  out[192 + lane] = __match_all_sync(mask, quarter * 0 + 5, &alike) + static_cast<unsigned>(alike);
}

__device__ cuda::std::tuple<int, float, bool> three(int i) {
  return cuda::std::make_tuple(i, 0.5f * static_cast<float>(i), i % 2 == 0);
}

__global__ void standard(int* out) {
  namespace std_ = cuda::std;
  __shared__ std_::atomic<int> counter;
  if (threadIdx.x == 0) counter.store(0, std_::memory_order_relaxed);
  __syncthreads();
  const auto [number, half, even] = three(static_cast<int>(threadIdx.x));
  std_::array<int, 3> values{number, static_cast<int>(2 * half), even ? 1 : 0};
  std_::swap(values[0], values[2]);
  const std_::optional<int> some = even ? std_::optional<int>(7) : std_::nullopt;
  static_assert(std_::is_same_v<std_::uint32_t, unsigned> && std_::numeric_limits<int>::max() == 2147483647);
  counter.fetch_add(std_::plus<int>{}(values[0], some.value_or(0)));
  __syncthreads();
  out[threadIdx.x] = counter.load() + values[1] + static_cast<int>(std_::floor(half)) + std_::max(number, 3);
}

int main() {
  std::vector<unsigned> in(2 * kWords), out(kRows * kWords);
  unsigned state = 1;
  for (unsigned& word : in) word = state = state * 1664525u + 1013904223u;
  const unsigned corners[] = {0x80008000u, 0x7fff8001u, 0x80808080u, 0x7f80ff01u,
                              0u,          0xffffffffu, 0x00ff0100u, 0x0001ffffu};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) in[8 * j + i] = corners[i], in[kWords + 8 * j + i] = corners[(i + j) % 8];
  unsigned *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, in.size() * 4));
  CHECK(cudaMalloc(&device_out, out.size() * 4));
  CHECK(cudaMemcpy(device_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
  packed<<<1, kWords>>>(device_in, device_out);
  CHECK(cudaMemcpy(out.data(), device_out, out.size() * 4, cudaMemcpyDeviceToHost));
  expect(check_packed(in.data(), out.data()), "packed values");

  float floats[64];
  for (int i = 0; i < 64; ++i) floats[i] = static_cast<float>((i * 37 + 11) % 64 - 20) * 0.328125f;
  unsigned short brain[8 * 32];
  CHECK(cudaMemcpy(device_in, floats, sizeof floats, cudaMemcpyHostToDevice));
  brain_floats<<<1, 32>>>(reinterpret_cast<const float*>(device_in), reinterpret_cast<unsigned short*>(device_out));
  CHECK(cudaMemcpy(brain, device_out, sizeof brain, cudaMemcpyDeviceToHost));
  expect(check_brain_floats(floats, brain), "brain floats");

  bool right = true;
  reductions<<<1, 32>>>(device_out);
  CHECK(cudaMemcpy(out.data(), device_out, 7 * 32 * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    const int first = i < 8 ? 0 : 8, last = i < 8 ? 7 : 31;
    const unsigned mask = i < 8 ? 0xffu : 0xffffff00u;
    right = right && out[128 + i] == 0xfu << i / 4 * 4 && out[160 + i] == 0 && out[192 + i] == mask + 1;
    int sum = 0;
    for (int lane = first; lane <= last; ++lane) sum += lane - 20;
    right = right && out[i] == static_cast<unsigned>(sum) && out[32 + i] == static_cast<unsigned>(first - 20) &&
            out[64 + i] == static_cast<unsigned>(last) && out[96 + i] == mask;
  }
  expect(right, "reductions and matches");

  standard<<<1, 32>>>(reinterpret_cast<int*>(device_out));
  CHECK(cudaMemcpy(out.data(), device_out, 32 * 4, cudaMemcpyDeviceToHost));
  right = true;
  for (int i = 0; i < 32; ++i)
    right = right && out[i] == static_cast<unsigned>(16 * (1 + 7) + i + i / 2 + (i > 3 ? i : 3));
  expect(right, "standard library");
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
}
