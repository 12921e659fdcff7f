// Streams and events of a test, and a kernel that keeps the device busy.
#pragma once

#include "catch/catch.h"
#include "device.h"

namespace cudalabs::vgpu::test {

/// A kernel named "wait" that runs until the gate opens.
struct BusyKernel {
  fake::Gate gate;
  KernelBody body{
      "wait", [this](fake::LaunchCall& call) {
        return LaunchOutcome{gate.pass(call.interrupted) ? LaunchStatus::ok : LaunchStatus::timed_out, 0, ""};
      }};
  void start(cudaStream_t stream = nullptr) {
    launch_as_compiled(kernel("wait"), 1, 1, {}, 0, stream);
    REQUIRE(cudaPeekAtLastError() == cudaSuccess);
  }
};

inline cudaStream_t new_stream(unsigned int flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

inline cudaEvent_t new_event(unsigned int flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, flags) == cudaSuccess);
  return event;
}

/// Device memory and page-locked memory of 4 bytes each.
struct Cells {
  Cells() {
    void *d = nullptr, *h = nullptr;
    REQUIRE(cudaMalloc(&d, 4) == cudaSuccess);
    REQUIRE(cudaMallocHost(&h, 4) == cudaSuccess);
    device = static_cast<int*>(d);
    host = static_cast<int*>(h);
    *host = -1;
  }
  int* device = nullptr;
  int* host = nullptr;
};

}  // namespace cudalabs::vgpu::test
