// The runtime API: the last error, names and texts of errors.
#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::vgpu::client {
namespace {

/// A dead context outlives every look at it; anything else is returned once by cudaGetLastError.
cudaError_t last_error(std::uint16_t call, CallSite site, cudaError_t error) {
  Lock lock;
  Client& self = client();
  if (self.dead_context != cudaSuccess) error = self.dead_context;
  if (self.connected()) {
    self.begin_call(call, site);
    self.note(cudaSuccess, error, nullptr);
  }
  return error;
}

}  // namespace

CUDALABS_API cudaError_t cudaGetLastError() {
  return last_error(wire::call("cudaGetLastError"), call_site(), take_last_error());
}

CUDALABS_API cudaError_t cudaPeekAtLastError() {
  return last_error(wire::call("cudaPeekAtLastError"), call_site(), peek_last_error());
}

/// For a harness that runs the code under test and asks at its end what was left behind: cudaGetLastError, but the
/// program is not taken to have looked. A free that failed changed nothing and is a finding by itself.
CUDALABS_API cudaError_t cudalabs_left_behind() {
  const bool harmless = last_error_is_of_bad_free();
  const cudaError_t taken = take_last_error(), error = harmless ? cudaSuccess : taken;
  Lock lock;
  return client().dead_context != cudaSuccess ? client().dead_context : error;
}

/// For a harness that sees the program read a clock.
CUDALABS_API void cudalabs_looks_at_clock() {
  note_clock_look();
}

CUDALABS_API const char* cudaGetErrorName(cudaError_t error) {
  return error_name(error);
}

CUDALABS_API const char* cudaGetErrorString(cudaError_t error) {
  return error_text(error);
}

}  // namespace cudalabs::vgpu::client
