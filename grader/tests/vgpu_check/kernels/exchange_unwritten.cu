// Exchanges what was never cleared: an error only where a thread uses the old value. What any other atomic writes
// depends on it.
// launch: grid 1 block 64 args out[64] out[64] out[64] out[64]
__global__ void k(float* set, int* taken, int* counted, int* old) {
  __shared__ int shared_set[64];
  __shared__ int shared_taken[64];
  const int t = threadIdx.x;
  atomicExch(&set[t], 1.0f);
  const int unused = atomicExch(&shared_set[t], t);
  old[t] = atomicExch(&taken[t], t) + shared_set[t];  // expect: uninitialized-read
  if (atomicExch(&shared_taken[t], 1) == 0) {         // expect: uninitialized-read
    old[t] = 0;
  }
  atomicAdd(&counted[t], 1);  // expect: uninitialized-read
}
