// The runtime API: the last error, names and texts of errors.
#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::vgpu::client {
namespace {

/// A dead context outlives every look at it; anything else is returned once by cudaGetLastError.
cudaError_t last_error(std::uint16_t call, const void* return_address, cudaError_t error) {
  Lock lock;
  Client& self = client();
  if (self.dead_context != cudaSuccess) error = self.dead_context;
  if (self.connected()) {
    self.call = call;
    self.origin = self.relative_origin(return_address);
    self.note(cudaSuccess, error, nullptr);
  }
  return error;
}

}  // namespace

CUDALABS_API cudaError_t cudaGetLastError() {
  return last_error(wire::call("cudaGetLastError"), __builtin_return_address(0), take_last_error());
}

CUDALABS_API cudaError_t cudaPeekAtLastError() {
  return last_error(wire::call("cudaPeekAtLastError"), __builtin_return_address(0), peek_last_error());
}

CUDALABS_API const char* cudaGetErrorName(cudaError_t error) {
  return error_name(error);
}

CUDALABS_API const char* cudaGetErrorString(cudaError_t error) {
  return error_text(error);
}

}  // namespace cudalabs::vgpu::client
