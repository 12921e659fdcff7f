// Block 0 has no fence after it takes the lock, block 1 has all: it shows only when block 1 comes first.
// launch: grid 2 block 32 args zero[1] zero[1]
__global__ void k(int* lock, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    if (blockIdx.x == 1) __threadfence();
    *count += 1;  // expect: global-race
    __threadfence();
    atomicExch(lock, 0);
  }
}
