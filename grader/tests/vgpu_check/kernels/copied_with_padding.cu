// launch: grid 2 block 32 args out[256] out[256]
struct Pair {
  int number;
  double value;
};
struct Small {
  char letter;
  short number;
  float value;
};

// An object with padding is written member by member and copied as a whole: padding is no value.
__global__ void k(Pair* pairs, Small* smalls) {
  __shared__ Pair pair[32];
  __shared__ Small small[32];
  unsigned t = threadIdx.x;
  pair[t].number = t;
  pair[t].value = 2.0;
  small[t].letter = 'a';
  small[t].number = 3;
  small[t].value = 4.0f;
  __syncthreads();
  if (blockIdx.x == 0) {
    pairs[t] = pair[31 - t];
    smalls[t] = small[31 - t];
  }
}
