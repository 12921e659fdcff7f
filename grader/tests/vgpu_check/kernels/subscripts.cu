// Two warps write each element; what an element is called, kernel_test.cpp asks.
// launch: grid 1 block 64 shared 256 args out[64]
struct Tiles {
  int count;
  float tile[2][40];
};

__device__ float table[4][32];
extern __shared__ float dynamic[];

__global__ void k(float* out) {
  __shared__ float tile[3][32];
  __shared__ int cube[2][2][32];
  __shared__ Tiles s;
  const int t = threadIdx.x, lane = t % 32;
  tile[2][(lane + 3) % 32] = t;  // expect: shared-race
  cube[1][0][(lane + 4) % 32] = t;      // expect: shared-race
  s.tile[1][(lane + 5) % 32] = t;       // expect: shared-race
  dynamic[(lane + 6) % 32] = t;         // expect: shared-race
  table[2][(lane + 7) % 32] = t;        // expect: global-race
  out[t] = t;
}
