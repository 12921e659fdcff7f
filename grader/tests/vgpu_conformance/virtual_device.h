// Kernels with two parameters on the virtual GPU, without its checks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::conformance {

class VirtualDevice {
 public:
  VirtualDevice();

  /// What the kernel wrote over zeros; its parameters are the addresses of a copy of `input` and of the output. None
  /// when the virtual GPU does not execute it. Throws std::runtime_error when it does not run to its end.
  std::optional<std::vector<std::byte>> run(const std::string& ptx, const std::string& kernel,
                                            const reference::Launch& launch, std::span<const std::byte> input,
                                            std::uint64_t output_bytes);

 private:
  vgpu::VirtualGpu gpu_;
};

}  // namespace cudalabs::conformance
