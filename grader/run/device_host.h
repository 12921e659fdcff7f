// The virtual GPU's server, in a sandbox of its own, since it listens to hostile clients: one for many cases, each of
// which gets a process of its own there.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "sandbox/fd.h"
#include "sandbox/sandbox.h"
#include "vgpu/cudart/serve_order.h"

namespace cudalabs::runner {

/// May be used by several threads. The thread that makes it must outlive it.
class DeviceHost {
 public:
  /// Starts the server for at most so many cases at a time. Throws sandbox::SandboxError.
  explicit DeviceHost(std::uint64_t cases_at_a_time);
  /// Ends it, and every case in it.
  ~DeviceHost();
  DeviceHost(const DeviceHost&) = delete;
  DeviceHost& operator=(const DeviceHost&) = delete;

  /// Has a case served: its descriptors are as vgpu::ServeOrder says. Throws std::runtime_error when the server is
  /// gone.
  void order(const vgpu::ServeOrder& order, std::span<const int> descriptors);
  /// Says how the server ended, which was found to be gone. Waits until it is.
  std::string failure();

 private:
  sandbox::Fd orders_;
  std::mutex mutex_;
  std::unique_ptr<sandbox::Process> process_;
  std::string failure_;
};

/// Processes and threads that a case may have in it.
std::uint64_t most_device_threads();

}  // namespace cudalabs::runner
