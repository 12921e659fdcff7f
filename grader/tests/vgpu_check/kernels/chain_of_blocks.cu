// Each block waits for the one with the next smaller index. There are more blocks than the device holds at a time.
// launch: grid 700 block 256 args out[700] zero[700]
__global__ void k(float* sums, int* flags) {
  if (threadIdx.x != 0) return;
  float before = 0;
  if (blockIdx.x != 0) {
    while (*(volatile int*)&flags[blockIdx.x - 1] == 0) {
    }
    __threadfence();
    before = sums[blockIdx.x - 1];
  }
  sums[blockIdx.x] = before + 1;
  __threadfence();
  *(volatile int*)&flags[blockIdx.x] = 1;
}
