// A call of the driver API that calls of the runtime API answer: findings name the former, at the line where the
// program made it.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// While it lives, calls of the runtime by this thread are those of `number`, and leave the runtime's last error alone.
class DriverCall {
 public:
  DriverCall(std::uint16_t number, CallSite site);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

  std::uint16_t number() const { return number_; }
  CallSite site() const { return site_; }
  /// That of the calling thread; null when the program called the runtime itself.
  static const DriverCall* current();

 private:
  std::uint16_t number_;
  CallSite site_;
  const DriverCall* outer_;
  cudaError_t last_error_;
};

/// The calling thread has called the runtime itself, which gives it the primary context.
bool has_called_runtime();
/// Some thread has: the primary context lives as long as the program.
bool has_any_thread_called_runtime();

}  // namespace cudalabs::vgpu::client
