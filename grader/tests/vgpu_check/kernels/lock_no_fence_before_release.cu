// Block 1 has no fence before it gives the lock back, block 0 has all: it shows only when block 1 comes first.
// launch: grid 2 block 32 args zero[1] zero[1]
__global__ void k(int* lock, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *count += 1;  // expect: global-race
    if (blockIdx.x == 0) __threadfence();
    atomicExch(lock, 0);
  }
}
