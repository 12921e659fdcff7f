// launch: grid 1 block 32 args out[256]
struct Pair {
  int number;
  double value;
};

// A member that nobody has written is copied.
__global__ void k(Pair* pairs) {
  __shared__ Pair pair[32];
  unsigned t = threadIdx.x;
  pair[t].number = t;
  __syncthreads();
  pairs[t] = pair[31 - t];  // expect: uninitialized-read
}
