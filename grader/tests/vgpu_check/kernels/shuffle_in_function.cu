// A warp draws tickets: lane 0 counts, and a function hands its number to the others. Lane 0 talks to other warps and
// lets the rest of its own go first now and then, so that they come to the call before it.
// launch: grid 4 block 64 args zero[2]
__device__ __noinline__ unsigned from_first_lane(unsigned value) {
  return __shfl_sync(0xffffffffu, value, 0);
}

__global__ void k(unsigned* counters) {
  for (;;) {
    unsigned ticket = 0;
    if (threadIdx.x % 32 == 0) ticket = atomicAdd(&counters[0], 1u);
    ticket = from_first_lane(ticket);
    if (ticket >= 600) break;
    atomicAdd(&counters[1], 1u);
  }
}
