// Reductions of what surfaces hold (`sured`), which CUDA C++ has no function for, and with an argument mistakes that
// are made with them. Compiled by nvcc.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "check.h"

constexpr int kWidth = 8, kHeight = 4, kDepth = 3;

// Coordinates in x are bytes.
#define REDUCE_1D(text, letter) \
  asm volatile("sured.b." text " [%0, {%1}], %2;" ::"l"(surface), "r"(x), letter(value) : "memory")
#define REDUCE_2D(text, letter) \
  asm volatile("sured.b." text " [%0, {%1, %2}], %3;" ::"l"(surface), "r"(x), "r"(y), letter(value) : "memory")
#define REDUCE_3D(text, letter)                                                                                     \
  asm volatile("sured.b." text " [%0, {%1, %2, %3, %3}], %4;" ::"l"(surface), "r"(x), "r"(y), "r"(z), letter(value) \
               : "memory")

// In elements.
#define REDUCE_FORMATTED(text, letter) \
  asm volatile("sured.p." text " [%0, {%1, %2}], %3;" ::"l"(surface), "r"(x), "r"(y), letter(value) : "memory")

enum Operation {
  add_u32,
  add_s32,
  min_u32,
  min_s32,
  max_u32,
  max_s32,
  and_b32,
  or_b32,
  add_u64,
  min_u64,
  min_s64,
  max_u64,
  max_s64
};

__global__ void once(cudaSurfaceObject_t surface, int operation, int x, int y, unsigned long long given) {
  const unsigned long long value64 = given;
  const unsigned value32 = static_cast<unsigned>(given);
  switch (operation) {
#define CASE(name, text)            \
  case name: {                      \
    const unsigned value = value32; \
    REDUCE_2D(text ".trap", "r");   \
    break;                          \
  }
#define WIDE_CASE(name, text)                 \
  case name: {                                \
    const unsigned long long value = value64; \
    REDUCE_2D(text ".trap", "l");             \
    break;                                    \
  }
    CASE(add_u32, "add.2d.u32")
    CASE(add_s32, "add.2d.s32")
    CASE(min_u32, "min.2d.u32")
    CASE(min_s32, "min.2d.s32")
    CASE(max_u32, "max.2d.u32")
    CASE(max_s32, "max.2d.s32")
    CASE(and_b32, "and.2d.b32")
    CASE(or_b32, "or.2d.b32")
    WIDE_CASE(add_u64, "add.2d.u64")
    WIDE_CASE(min_u64, "min.2d.u64")
    WIDE_CASE(min_s64, "min.2d.s64")
    WIDE_CASE(max_u64, "max.2d.u64")
    WIDE_CASE(max_s64, "max.2d.s64")
  }
}

// Each thread counts in a texel of its own row.
__global__ void histogram(cudaSurfaceObject_t surface, int bias) {
  const int number = blockIdx.x * blockDim.x + threadIdx.x, x = number % kWidth * 4 + bias, y = number % kHeight;
  const unsigned value = number;
  REDUCE_2D("add.2d.u32.trap", "r");  // counts
}

__global__ void at_edges(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x) * 4 - 16, y = -1;
  const unsigned value = 1;
  if (threadIdx.x % 2 == 0) {
    REDUCE_2D("add.2d.u32.clamp", "r");
  } else {
    REDUCE_2D("add.2d.u32.zero", "r");
  }
}

__global__ void in_line(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x / 4 * 4;
  const int value = -1;
  REDUCE_1D("add.1d.s32.trap", "r");
}

__global__ void in_volume(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x * 4, y = threadIdx.y, z = threadIdx.z;
  const unsigned value = x + 100 * y + 1000 * z;
  REDUCE_3D("max.3d.u32.trap", "r");
}

__global__ void formatted(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = threadIdx.y;
  const unsigned value = 0xFFFFFFF5 + x;
  if (y == 0) REDUCE_FORMATTED("add.2d.b32.trap", "r");
  if (y == 1) REDUCE_FORMATTED("min.2d.b32.trap", "r");
  if (y == 2) REDUCE_FORMATTED("max.2d.b32.trap", "r");
  if (y == 3) REDUCE_FORMATTED("and.2d.b32.trap", "r");
}

__global__ void formatted_pairs(cudaSurfaceObject_t surface, int bias) {
  const int x = threadIdx.x + bias, y = threadIdx.y;
  const unsigned long long value = 1ull << 40 | x;
  REDUCE_FORMATTED("max.2d.b64.trap", "l");  // takes the larger
}

__global__ void plain(cudaSurfaceObject_t surface) {
  surf2Dwrite(7u, surface, 0, 0);  // writes
}

template <class T>
struct Surface {
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t object = 0;
  std::vector<T> values;
  int width, height, depth;

  Surface(int w, int h, int d, T first, bool filled = true)
      : values(w * std::max(h, 1) * std::max(d, 1), first), width(w), height(h), depth(d) {
    const cudaChannelFormatDesc format = sizeof(T) == 8 ? cudaCreateChannelDesc<uint2>() : cudaCreateChannelDesc<T>();
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), cudaArraySurfaceLoadStore));
    if (filled) copy(true);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&object, &resource));
  }
  void copy(bool in) {
    cudaMemcpy3DParms all{};
    const cudaPitchedPtr host = make_cudaPitchedPtr(values.data(), width * sizeof(T), width, std::max(height, 1));
    all.extent = make_cudaExtent(width, std::max(height, 1), std::max(depth, 1));
    all.kind = cudaMemcpyDefault;
    (in ? all.srcPtr : all.dstPtr) = host;
    (in ? all.dstArray : all.srcArray) = array;
    CHECK(cudaMemcpy3D(&all));
  }
  const std::vector<T>& result() {
    CHECK(cudaDeviceSynchronize());
    copy(false);
    return values;
  }
  ~Surface() {
    CHECK(cudaDestroySurfaceObject(object));
    CHECK(cudaFreeArray(array));
  }
};

template <class T>
bool reduces(int operation, T old, T value, T expected) {
  Surface<T> surface(kWidth, kHeight, 0, old);
  once<<<1, 1>>>(surface.object, operation, 3 * sizeof(T), 2, value);
  std::vector<T> wanted(kWidth * kHeight, old);
  wanted[2 * kWidth + 3] = expected;
  return surface.result() == wanted;
}

int main(int argc, char** argv) {
  const char only = argc > 1 ? argv[1][0] : 'a';
  if (only == 'o') {  // outside
    Surface<unsigned> surface(kWidth, kHeight, 0, 0);
    histogram<<<1, 32>>>(surface.object, 4);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::_Exit(0);
  }
  if (only == 'm') {  // between two texels
    Surface<unsigned> surface(kWidth, kHeight, 0, 0);
    histogram<<<1, 1>>>(surface.object, 2);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::_Exit(0);
  }
  if (only == 'f') {  // formatted, outside
    Surface<unsigned long long> surface(kWidth, kHeight, 0, 0);
    formatted_pairs<<<1, kWidth>>>(surface.object, 1);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::_Exit(0);
  }
  if (only == 'u') {  // of what nobody has written
    Surface<unsigned> surface(kWidth, kHeight, 0, 0, false);
    histogram<<<1, 32>>>(surface.object, 0);
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  if (only == 'h') {  // a handle that is none
    histogram<<<1, 32>>>(12345, 0);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::_Exit(0);
  }
  if (only == 'r') {  // beside a plain write of another stream
    cudaStream_t one, other;
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    Surface<unsigned> surface(kWidth, kHeight, 0, 0);
    plain<<<1, 1, 0, one>>>(surface.object);
    histogram<<<1, 32, 0, other>>>(surface.object, 0);  // beside it
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  const unsigned minus = 0xFFFFFFF5;
  const unsigned long long wide_minus = 0xFFFFFFF500000001ull;
  expect(reduces<unsigned>(add_u32, 3, minus, 0xFFFFFFF8) && reduces<unsigned>(add_s32, 0x7FFFFFFF, 1, 0x80000000) &&
             reduces<unsigned long long>(add_u64, 0xFFFFFFFF, 2, 0x100000001),
         "add");
  expect(reduces<unsigned>(min_u32, 3, minus, 3) && reduces<unsigned>(min_s32, 3, minus, minus) &&
             reduces<unsigned long long>(min_u64, 3, wide_minus, 3) &&
             reduces<unsigned long long>(min_s64, 3, wide_minus, wide_minus),
         "min");
  expect(reduces<unsigned>(max_u32, 3, minus, minus) && reduces<unsigned>(max_s32, 3, minus, 3) &&
             reduces<unsigned long long>(max_u64, 3, wide_minus, wide_minus) &&
             reduces<unsigned long long>(max_s64, 3, wide_minus, 3),
         "max");
  expect(reduces<unsigned>(and_b32, 6, 3, 2) && reduces<unsigned>(or_b32, 6, 3, 7), "and, or");
  {
    Surface<unsigned> surface(kWidth, kHeight, 0, 5);
    histogram<<<64, 64>>>(surface.object, 0);
    std::vector<unsigned> wanted(kWidth * kHeight, 5);
    for (unsigned i = 0; i < 64 * 64; ++i) wanted[i % kHeight * kWidth + i % kWidth] += i;
    expect(surface.result() == wanted, "many threads");
  }
  {
    Surface<unsigned> surface(kWidth, kHeight, 0, 0);
    at_edges<<<1, 16>>>(surface.object);
    std::vector<unsigned> wanted(kWidth * kHeight);
    for (int i = 0; i < 16; i += 2) ++wanted[std::clamp(i - 4, 0, kWidth - 1)];
    expect(surface.result() == wanted, "edges");
  }
  {
    Surface<unsigned> surface(kWidth, 0, 0, 0);
    in_line<<<1, 32>>>(surface.object);
    expect(surface.result() == std::vector<unsigned>(kWidth, 0u - 4), "a line");
  }
  {
    Surface<unsigned> surface(kWidth, kHeight, kDepth, 50);
    in_volume<<<1, dim3(kWidth, kHeight, kDepth)>>>(surface.object);
    std::vector<unsigned> wanted;
    for (unsigned i = 0; i < kWidth * kHeight * kDepth; ++i)
      wanted.push_back(std::max(50u, i % kWidth * 4 + 100 * (i / kWidth % kHeight) + 1000 * (i / kWidth / kHeight)));
    expect(surface.result() == wanted, "a volume");
  }
  {
    Surface<unsigned> surface(kWidth, kHeight, 0, 3);
    Surface<int> with_sign(kWidth, kHeight, 0, 3);
    Surface<unsigned long long> pairs(kWidth, kHeight, 0, 3);
    formatted<<<1, dim3(kWidth, kHeight)>>>(surface.object);
    formatted<<<1, dim3(kWidth, kHeight)>>>(with_sign.object);
    formatted_pairs<<<1, dim3(kWidth, kHeight)>>>(pairs.object, 0);
    std::vector<unsigned> wanted(kWidth * kHeight, 3);
    std::vector<int> wanted_signs(kWidth * kHeight, 3);
    std::vector<unsigned long long> wanted_pairs;
    for (int x = 0; x < kWidth; ++x) {
      const unsigned value = 0xFFFFFFF5 + x;
      wanted[x] = wanted_signs[x] = 3 + value;
      wanted_signs[kWidth + x] = static_cast<int>(value);
      wanted[2 * kWidth + x] = value;
      wanted[3 * kWidth + x] = wanted_signs[3 * kWidth + x] = 3 & value;
    }
    for (int i = 0; i < kWidth * kHeight; ++i) wanted_pairs.push_back(1ull << 40 | i % kWidth);
    expect(surface.result() == wanted && with_sign.result() == wanted_signs && pairs.result() == wanted_pairs,
           "formatted");
  }
}
