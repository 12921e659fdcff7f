// The calls that a capture forbids, by name.
#include "vgpu/cudart/client/capture_rules.h"

#include <array>

namespace cudalabs::vgpu::client {
namespace {

enum class Rule : std::uint8_t {
  free,      // whatever captures
  unsafe,    // not in a mode that forbids it
  conflicts  // never
};

consteval std::array<Rule, wire::kCallCount> rules_by_call() {
  std::array<Rule, wire::kCallCount> rules{};
  for (const std::uint16_t unsafe :
       {wire::call("cudaMalloc"), wire::call("cudaMallocPitch"), wire::call("cudaMalloc3D"),
        wire::call("cudaMallocArray"), wire::call("cudaMalloc3DArray"), wire::call("cudaMallocManaged"),
        wire::call("cudaFree"), wire::call("cudaFreeArray"), wire::call("cudaMallocHost"), wire::call("cudaHostAlloc"),
        wire::call("cudaFreeHost"), wire::call("cudaHostRegister"), wire::call("cudaHostUnregister"),
        wire::call("cudaEventQuery"), wire::call("cudaEventSynchronize"), wire::call("cudaGraphInstantiate"),
        wire::call("cudaGraphInstantiateWithFlags"), wire::call("cudaGraphInstantiateWithParams")})
    rules[unsafe] = Rule::unsafe;
  rules[wire::call("cudaDeviceSynchronize")] = Rule::conflicts;
  return rules;
}

constexpr std::array<Rule, wire::kCallCount> kRules = rules_by_call();

thread_local constinit cudaStreamCaptureMode the_mode = cudaStreamCaptureModeGlobal;

/// Whether the capture keeps the calling thread from unsafe calls.
bool forbids_unsafe_calls(const Capture& capture) {
  if (the_mode == cudaStreamCaptureModeRelaxed || capture.mode == cudaStreamCaptureModeRelaxed) return false;
  if (pthread_equal(capture.thread, pthread_self()) != 0) return true;
  return the_mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
}

}  // namespace

cudaStreamCaptureMode& mode_of_thread() {
  return the_mode;
}

cudaError_t may_call_while_capturing(std::uint16_t call) {
  const Rule rule = kRules[call];
  return rule == Rule::free ? cudaSuccess : refuse_if_unsafe(rule == Rule::conflicts);
}

cudaError_t refuse_if_unsafe(bool whatever_the_mode) {
  cudaError_t status = cudaSuccess;
  for (Capture* capture : captures_under_way()) {
    if (!whatever_the_mode && !forbids_unsafe_calls(*capture)) continue;
    capture->invalidated = true;
    status = cudaErrorStreamCaptureUnsupported;
  }
  return status;
}

}  // namespace cudalabs::vgpu::client
