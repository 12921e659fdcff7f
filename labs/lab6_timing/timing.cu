// Lab 6: how long does it take? The contract is in timing.h, the task in README.md.
#include "timing.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

// Milliseconds from one time of the host's clock to another.
static double ms_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

double launch_ms(Launch launch) {
  // TODO 1: Read the clock (std::chrono::steady_clock::now()), call launch(), read the clock again. Nothing else
  //         belongs in between.
  // TODO 2: Ask cudaGetLastError() whether the launch went well. If not, return a negative number.
  return 0.0;
}

double kernel_ms_host(Launch launch) {
  // TODO 3: The same, but the second reading of the clock has to wait for the kernel. Which call returns when the
  //         kernel is done, and what does it return when the kernel failed?
  return 0.0;
}

double kernel_ms_events(Launch launch) {
  // TODO 4: Create two events. Record one, launch, record the other. Wait until the second has happened; then ask
  //         cudaEventElapsedTime. Destroy the events, also when something failed.
  return 0.0;
}

// TODO 5: Two kernels; timing.h says what they compute.

void two_stage(const float* d_in, float* d_mid, float* d_out, int n) {
  // TODO 6: Launch one after the other. What has to stand between the launches so that the second finds all that the
  //         first has written? For n = 0 there is nothing to launch.
}
