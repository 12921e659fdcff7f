// Counts in passing: every call does what it would have done. Streams are made and devices reset before main(), too, so
// the counters need no constructor.
#include "run/harness/device_state.h"

#include <cuda_runtime_api.h>

#include <atomic>

// In our own runtime only: how often the device was reset.
extern "C" __attribute__((weak)) unsigned cudalabs_device_resets();

namespace cudalabs::harness {
namespace {

std::atomic<unsigned> g_unordered_streams{0}, g_resets{0};
unsigned g_forgotten_resets = 0;

unsigned all_resets() {
  return g_resets + (cudalabs_device_resets != nullptr ? cudalabs_device_resets() : 0);
}

void note_stream(cudaError_t error, unsigned flags) {
  if (error == cudaSuccess && (flags & cudaStreamNonBlocking) != 0) ++g_unordered_streams;
}

}  // namespace

bool has_unordered_streams() {
  return g_unordered_streams != 0;
}

unsigned device_resets() {
  return all_resets() - g_forgotten_resets;
}

void forget_resets() {
  g_forgotten_resets = all_resets();
}

}  // namespace cudalabs::harness

using cudalabs::harness::g_resets;
using cudalabs::harness::note_stream;

extern "C" {

__attribute__((weak)) cudaError_t __real_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
__attribute__((weak)) cudaError_t __real_cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags,
                                                                      int priority);
__attribute__((weak)) cudaError_t __real_cudaDeviceReset();

__attribute__((visibility("default"))) cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t* stream,
                                                                                    unsigned flags) {
  const cudaError_t error = __real_cudaStreamCreateWithFlags(stream, flags);
  note_stream(error, flags);
  return error;
}

__attribute__((visibility("default"))) cudaError_t __wrap_cudaStreamCreateWithPriority(cudaStream_t* stream,
                                                                                       unsigned flags, int priority) {
  const cudaError_t error = __real_cudaStreamCreateWithPriority(stream, flags, priority);
  note_stream(error, flags);
  return error;
}

__attribute__((visibility("default"))) cudaError_t __wrap_cudaDeviceReset() {
  ++g_resets;
  return __real_cudaDeviceReset();
}
}
