// A function of the program's own header that is inlined into a kernel.
#pragma once

__device__ __forceinline__ int mark(char* marks, int place, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) marks[i] = 0;
  if (threadIdx.x == 0) marks[place] = 1;  // races
  __syncthreads();
  return marks[(place + threadIdx.x) % count];
}
