// A list with room for 8: a look at the counter spares the atomics of those that come too late; the atomic decides.
// launch: grid 4 block 32 args out[8] zero[1]
__global__ void k(float* list, unsigned* count) {
  for (int i = 0; i < 4; ++i) {
    if (*(volatile unsigned*)count < 8) {
      const unsigned place = atomicAdd(count, 1u);
      if (place < 8) list[place] = i;
    }
  }
}
