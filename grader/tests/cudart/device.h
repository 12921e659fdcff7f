// A client and its server in one process: the runtime API under test talks to a session over a socket pair.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fake_virtual_gpu.h"
#include "vgpu/cudart/include/cuda_runtime_api.h"
#include "vgpu/cudart/server/session.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu::test {

/// While it lives, runtime calls of this process reach a fake virtual GPU; one at a time.
class Device {
 public:
  explicit Device(DeviceModel model = device_model("t4"), SessionLimits limits = {}, SessionFaults faults = {},
                  TransferDesk* transfers = nullptr);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Ends the client in order and returns what the server saw.
  ServerReport finish();
  Session& session() { return *session_; }

 private:
  int ends_[2] = {-1, -1};
  std::unique_ptr<VirtualGpu> gpu_;
  std::unique_ptr<SocketChannel> channel_;
  std::unique_ptr<Session> session_;
  std::thread server_;
  std::vector<std::pair<void*, std::size_t>> page_locked_;  // what the test did not free, and after some errors cannot
};

/// The stub that stands for a registered kernel, or a name nobody registered.
const void* kernel(const std::string& name);
/// The host side of a registered variable.
const void* symbol(const std::string& name);

/// Launches as code compiled from `kernel<<<grid, block, shared, stream>>>(arguments...)` does.
void launch_as_compiled(const void* function, dim3 grid, dim3 block, std::vector<void*> arguments = {},
                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);

/// Registers one kernel function of the fake for the length of a test.
class KernelBody {
 public:
  KernelBody(std::string name, fake::KernelFunction function) : name_(std::move(name)) {
    fake::kernel_functions()[name_] = std::move(function);
  }
  ~KernelBody() { fake::kernel_functions().erase(name_); }
  KernelBody(const KernelBody&) = delete;
  KernelBody& operator=(const KernelBody&) = delete;

 private:
  std::string name_;
};

/// Names of the API calls of a report, in order.
std::vector<std::string> call_names(const ServerReport& report);

inline bool has_finding(const ServerReport& report, const std::string& id) {
  for (const Finding& finding : report.findings)
    if (finding.id == id) return true;
  return false;
}

}  // namespace cudalabs::vgpu::test
