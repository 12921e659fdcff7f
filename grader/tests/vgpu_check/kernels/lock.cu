// A plain counter under a lock.
// launch: grid 4 block 32 args zero[1] zero[1]
__global__ void k(int* lock, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *count += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
