// A guess that atomicCAS compares is right, but others write the sum without an atomic.
// launch: grid 4 block 32 args zero[1]
__global__ void k(int* sum) {
  if (blockIdx.x == 3 && threadIdx.x == 0) *sum = 0;  // expect: global-race
  int old = *sum, assumed;  // expect: global-race
  do {
    assumed = old;
    old = atomicCAS(sum, assumed, assumed + 1);
  } while (assumed != old);
}
