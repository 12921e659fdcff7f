// A VirtualGpu for testing the runtime layer: memory is real, kernels are C++ functions that tests register by name.
#pragma once

#include <condition_variable>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "vgpu/memory/address_space.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu::fake {

struct LaunchCall {
  VirtualGpu& gpu;
  const LaunchConfig& config;
  std::span<const std::byte> parameters;
  std::function<bool()> interrupted;

  template <class T>
  T parameter(std::size_t offset) const {
    T value;
    std::memcpy(&value, parameters.data() + offset, sizeof value);
    return value;
  }
};
using KernelFunction = std::function<LaunchOutcome(LaunchCall&)>;

/// What kernels do, by name. Set before the launch.
std::map<std::string, KernelFunction>& kernel_functions();

/// What the virtual GPUs have found, whatever was launched. Set before the report.
std::vector<Finding>& kernel_findings();
/// What every read of unwritten memory is answered with.
std::optional<LateWriter>& late_writer();

/// A gate that a kernel waits at until the test opens it, or the virtual GPU is interrupted.
class Gate {
 public:
  void open();
  void close();
  /// False when interrupted.
  bool pass(const std::function<bool()>& interrupted);

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

/// Where the first allocation, variable or range of a virtual GPU lies, however it is aligned.
inline constexpr DeviceAddress kFirstAddress = kGlobalBase + (1ull << 30);
inline constexpr std::uint64_t kFirstImage = 1;

/// Text the fake loads as a module, one line for each thing:
///   //! kernel NAME registers=R shared=S threads=T params=SIZE,SIZE,...
///   //! variable NAME BYTES [constant]
///   //! parse-error MESSAGE       //! unsupported MESSAGE
inline constexpr const char* kHeader = ".version 7.0\n.target sm_70\n.address_size 64\n";

}  // namespace cudalabs::vgpu::fake
