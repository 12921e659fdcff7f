// Forgets everything: the first launch fails unseen, the memory stays allocated.
#include "check.h"

__global__ void nothing() {}

int main() {
  float* kept;
  cudaMalloc(&kept, 4096);  // never freed
  nothing<<<0, 32>>>();     // never looked at
  return 0;
}
