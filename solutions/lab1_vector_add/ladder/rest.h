// What the steps of the ladder leave out of lab 1's contract: memory and copies. Appended to a step when it is graded.
#include "vector_add.h"

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  const float* const from[] = {a, b, c};  // c as well: where the launch fails, copying back changes nothing
  float* device[] = {nullptr, nullptr, nullptr};
  bool works = true;
  for (int i = 0; i < 3 && works; ++i) {
    works = cudaMalloc(&device[i], bytes) == cudaSuccess &&
            cudaMemcpy(device[i], from[i], bytes, cudaMemcpyHostToDevice) == cudaSuccess;
  }
  if (works) {
    vector_add_device(device[0], device[1], device[2], n);
    works = cudaMemcpy(c, device[2], bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
  }
  if (!works) std::fprintf(stderr, "vector_add: out of memory, or a copy failed\n");
  for (float* array : device) cudaFree(array);
}
