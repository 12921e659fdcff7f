// The reader has no fence between the flag and the data.
// launch: grid 2 block 32 args out[1] zero[1] out[1]
__global__ void k(float* data, int* flag, float* out) {
  volatile int* seen = flag;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *seen = 1;
  } else {
    while (*seen == 0) {
    }
    *out = *data;  // expect: global-race
  }
}
