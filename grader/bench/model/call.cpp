// Calls a lab's contract function once, on device memory nobody filled, for the model of time: which launches it makes,
// not what they compute, is what matters. Linked with one step of a ladder or one submission.
//   call FUNCTION SIZE [HEIGHT]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Whatever of these the step defines; the others are null.
#define CALLED __attribute__((weak))
CALLED void vector_add_device(const float*, const float*, float*, int);
CALLED void vector_add(const float*, const float*, float*, int);
CALLED void picture_double(const float*, float*, int, int);
CALLED void picture_gray(const unsigned char*, unsigned char*, int, int);
CALLED void matmul(const float*, const float*, float*, int, int, int);
CALLED void tiled_matmul(const float*, const float*, float*, int, int, int);
CALLED void reduce_sum(const float*, float*, int);
CALLED void array_sum(const int*, int*, int);

namespace {

template <class Value>
Value* device_array(std::size_t count) {
  void* array = nullptr;
  if (cudaMalloc(&array, count * sizeof(Value)) != cudaSuccess) {
    std::fprintf(stderr, "call: no device memory\n");
    std::exit(1);
  }
  return static_cast<Value*>(array);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
  const int n = std::atoi(argv[2]), height = argc > 3 ? std::atoi(argv[3]) : 1;
  const std::size_t count = static_cast<std::size_t>(n), pixels = count * height, square = count * count;
  if (is("vector_add_device") && vector_add_device != nullptr) {
    vector_add_device(device_array<float>(count), device_array<float>(count), device_array<float>(count), n);
  } else if (is("vector_add") && vector_add != nullptr) {
    std::vector<float> a(count), b(count), c(count);
    vector_add(a.data(), b.data(), c.data(), n);
  } else if (is("picture_double") && picture_double != nullptr) {
    picture_double(device_array<float>(pixels), device_array<float>(pixels), n, height);
  } else if (is("picture_gray") && picture_gray != nullptr) {
    picture_gray(device_array<unsigned char>(3 * pixels), device_array<unsigned char>(pixels), n, height);
  } else if (is("matmul") && matmul != nullptr) {
    matmul(device_array<float>(square), device_array<float>(square), device_array<float>(square), n, n, n);
  } else if (is("tiled_matmul") && tiled_matmul != nullptr) {
    tiled_matmul(device_array<float>(square), device_array<float>(square), device_array<float>(square), n, n, n);
  } else if (is("reduce_sum") && reduce_sum != nullptr) {
    reduce_sum(device_array<float>(count), device_array<float>(1), n);
  } else if (is("array_sum") && array_sum != nullptr) {
    array_sum(device_array<int>(count), device_array<int>(1), n);
  } else {
    std::fprintf(stderr, "call: no %s\n", argv[1]);
    return 1;
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
