// The contract of lab 6: what the grader calls and you write. Read it, but do not change it.
#pragma once

/// Enqueues one kernel on the default stream and returns, usually long before the kernel is done. A launch can fail;
/// as always, it is `cudaGetLastError()` that knows.
using Launch = void (*)();

/// The time that `launch()` itself takes the host, in milliseconds: from before the call to after it, and no longer.
/// Negative when the launch fails.
double launch_ms(Launch launch);

/// The time that the kernel takes, in milliseconds, measured by a clock of the host. Negative when the launch or the
/// kernel fails.
double kernel_ms_host(Launch launch);

/// The same, measured by two events on the device. Negative when the launch or the kernel fails. Destroys the events it
/// creates.
double kernel_ms_events(Launch launch);

/// Two kernels, the second of which needs all that the first has written:
///
///   first    d_mid[i] = 2 · d_in[i]
///   second   d_out[i] = d_mid[i] + d_mid[n - 1 - i]
///
///   d_in           device address of n floats, read only
///   d_mid, d_out   device addresses of n floats; uninitialised before the call
///   n              0 or more
///
/// May return before the kernels are done: the caller waits.
void two_stage(const float* d_in, float* d_mid, float* d_out, int n);

// ---- The kernel that you are given to time. It computes for `rounds` rounds and is of no other use. One
// ---- block: so it takes about as long on a device that has more processors.

namespace lab6 {

constexpr int kBlocks = 1, kThreads = 256;

struct Work {
  float* d_values;  // kBlocks * kThreads floats
  int rounds;
};
inline Work work;  // runner.cpp sets it

/// A Launch: enqueues the kernel on `work`.
void enqueue();

#if defined(__CUDA__) || defined(__CUDACC__)
__global__ void compute(float* values, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int round = 0; round < rounds; ++round) x = x * 0.5f + static_cast<float>(i);
  values[i] = x;
}

void enqueue() {
  compute<<<kBlocks, kThreads>>>(work.d_values, work.rounds);
}
#endif

}  // namespace lab6
